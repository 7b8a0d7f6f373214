using System.Text;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>One machine's section of tests/SCORES.md: the measures, what is wrong, and every run.</summary>
internal static class ScoresPage
{
    public static string Section(string machine, IReadOnlyCollection<RunScore> runs, IReadOnlyCollection<string> failures, bool quiet)
    {
        var text = new StringBuilder(machine).Append("\n\n| measure | goal | measured | |\n|---|---|---|---|\n");
        foreach (var row in ScoreBoard.Of(runs, quiet))
            text.Append(FormattableString.Invariant($"| {row.Measure} | {row.Goal} | {row.Measured} | {Met(row.Met)} |\n"));
        Differences(text, runs, failures);
        text.Append("\n| run | runtime | verdict | with a rule | inside | ticks explained | ticks predicted | workers, missed, invented |\n|---|---|---|---|---|---|---|---|\n");
        foreach (var run in runs)
            text.Append(FormattableString.Invariant(
                $"| `{run.Name}` | {run.Runtime} | {run.Verdict} | {run.Gaps.WithRule} | {run.Gaps.Inside} | {run.Ticks.Pure} | {run.Predictions.Ticks} | {run.Injections.Workers}, {run.Injections.Missed}, {run.Injections.Invented} |\n"));
        return text.ToString();
    }

    static string Met(bool? met) => met switch { true => "met", false => "**missed**", null => "" };

    static void Differences(StringBuilder text, IReadOnlyCollection<RunScore> runs, IReadOnlyCollection<string> failures)
    {
        var different = runs.SelectMany(run => Sentences(run).Select(one => $"- `{run.Name}`, {run.Runtime}: {one}\n")).ToArray();
        if (different.Length > 0)
            text.Append("\nOther than expected:\n\n").AppendJoin("", different);
        if (failures.Count > 0)
            text.Append("\nNot scored:\n\n").AppendJoin("", failures.Select(failure => $"- {failure}\n"));
    }

    static IEnumerable<string> Sentences(RunScore run) =>
    [
        .. run.Expectation.Verdicts, .. run.Expectation.Findings, .. run.Expectation.Others,
        .. run.Injections.Missed > 0 ? [$"{run.Injections.Missed} workers without an injection"] : Array.Empty<string>(),
        .. run.Injections.Invented > 0 ? [$"{run.Injections.Invented} injections without a worker"] : Array.Empty<string>(),
    ];
}
