using System.Globalization;
using System.Text;

namespace Tpwatch.Scoring.Scores;

/// <summary>One section of tests/SCORES.md: the measures, what is wrong, and every run.</summary>
static class ScoresPage
{
    /// <param name="machine">On what, and when.</param>
    /// <param name="runs">What was scored.</param>
    /// <param name="failures">Runs of which nothing could be scored, with the reason.</param>
    /// <param name="quiet">Whether nothing else had the machine.</param>
    public static string Section(string machine, IReadOnlyCollection<RunScore> runs, IReadOnlyCollection<string> failures, bool quiet)
    {
        var text = new StringBuilder(machine).Append("\n\n").Append(Table(ScoreBoard.Of(runs, quiet)));
        Differences(text, runs, failures);
        text.Append("\n| run | verdict | timed | inside | ticks explained | look foretold | workers, missed, "
            + "invented |\n|---|---|---|---|---|---|---|\n");
        foreach (var run in runs)
        {
            text.Append(string.Create(
                CultureInfo.InvariantCulture,
                $"| `{run.Name}` | {run.Verdict} | {run.InjectionDelays.Timed} | {run.InjectionDelays.Inside} | {run.Ticks.Pure} | "
                    + $"{run.Predictions.Ticks} | {run.Injections.Workers}, {run.Injections.Missed}, {run.Injections.Invented} |\n"));
        }

        return text.ToString();
    }

    static string Table(IEnumerable<ScoreRow> rows)
    {
        var text = new StringBuilder("| measure | goal | measured | |\n|---|---|---|---|\n");
        foreach (var row in rows)
        {
            text.Append(FormattableString.Invariant($"| {row.Measure} | {row.TargetThreads} | {row.Measured} | {Met(row.Met)} |\n"));
        }

        return text.ToString();
    }

    static string Met(bool? met) => met switch { true => "met", false => "**missed**", null => "" };

    static void Differences(StringBuilder text, IReadOnlyCollection<RunScore> runs, IReadOnlyCollection<string> failures)
    {
        var different = runs.SelectMany(run => run.Expectation.All.Select(one => $"- `{run.Name}`: {one}\n")).ToArray();
        if (different.Length > 0)
        {
            text.Append("\nOther than the record says:\n\n").AppendJoin("", different);
        }

        if (failures.Count > 0)
        {
            text.Append("\nNot scored:\n\n").AppendJoin("", failures.Select(failure => $"- {failure}\n"));
        }
    }
}
