using System.Globalization;
using System.Text;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.Reports;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>The scenarios in which nothing is wrong, each several times: any finding above a note is a false alarm.</summary>
static class HealthyRuns
{
    const int UsualTimes = 10;

    /// <summary>The last one collects garbage all the time and leaves the pool alone.</summary>
    static readonly string[] Names = ["steady", "healthy-burst", "async-items", "dedicated-threads", "garbage-storm-rate-0"];

    public static async Task<int> RunAsync(Words words)
    {
        var (times, parallel, dry) = (words.Number("--times", UsualTimes), words.Number("--parallel", 1), words.Has("--dry"));
        if (words.Rest.Count > 0)
            return words.Refuse("--healthy takes no names");
        var rows = Names.Select(ScenarioRow.Of).ToArray();
        var plans = Enumerable.Repeat(rows, times).SelectMany(row => row).Select(row => new RunPlan(row, TargetRuntime.Net10));
        var load = MachineWords.LoadNow();
        var outcomes = await Scores.MakeAsync(
            [.. plans], parallel, run => Task.FromResult(Said.Of(run.Run.Report)), said => said.ToString());
        var section = Section($"{MachineWords.Of([], load)}\n\n", outcomes);
        Console.WriteLine(section);
        if (!dry)
            ScoresFile.Write(Scores.Page, "healthy", section);
        return outcomes.Any(outcome => outcome.Value is not { Alarms: [] }) ? 1 : 0;
    }

    static string Section(string machine, IEnumerable<Outcome<Said>> outcomes)
    {
        var text = new StringBuilder(machine).Append(
            "| scenario | runs | verdicts | findings above a note (goal: none) |\n|---|---|---|---|\n");
        foreach (var row in outcomes.GroupBy(outcome => outcome.Plan.Row.Stem))
        {
            var said = row.Select(outcome => outcome.Value).OfType<Said>().ToArray();
            var verdicts = said.GroupBy(one => one.Verdict).Select(same => $"{same.Count()} {same.Key}");
            var alarms = said.SelectMany(one => one.Alarms).Concat(row.Select(outcome => outcome.Failure).OfType<string>()).ToArray();
            text.Append(string.Create(
                CultureInfo.InvariantCulture,
                $"| `{row.Key}` | {said.Length} | {string.Join(", ", verdicts)} | "
                    + $"{(alarms.Length == 0 ? "none" : string.Join("; ", alarms))} |\n"));
        }

        return text.ToString();
    }

    /// <summary>What a report says that somebody would act upon.</summary>
    sealed record Said(string Verdict, string[] Alarms)
    {
        public static Said Of(PoolReport report) => new(
            report.Verdict.ToString(), [.. report.Findings.Where(f => f.Severity > Severity.Note).Select(f => $"{f.Id} {f.Headline}")]);

        public override string ToString() => string.Join("; ", Alarms.Prepend(Verdict));
    }
}
