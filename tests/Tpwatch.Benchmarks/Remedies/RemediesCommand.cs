using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Scoring.Checks;
using Tpwatch.Scoring.Runs;
using Tpwatch.Scoring.Scores;

namespace Tpwatch.Benchmarks.Remedies;

/// <summary>
/// Tries what the reports advise: each sick program runs as it is, attached to from the start and late, and once more with the min that is
/// advised. Writes tests/REMEDIES.md; misses its goals where a remedy was useless or the truth lies outside what was imagined.
/// </summary>
static class RemediesCommand
{
    const int UsualParallel = 3;

    static readonly TimeSpan Limit = TimeSpan.FromMinutes(40);

    static string Page { get; } = Path.Combine(BuiltPrograms.Root, "tests", "REMEDIES.md");

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (parallel, dry) = (words.Number("--parallel", UsualParallel), words.Has("--dry"));
        var chosen = Trial.All.Where(trial => words.Rest.Count == 0 || words.Rest.Contains(trial.Scenario)).ToArray();
        if (chosen.Length == 0)
            return words.Refuse("no trial has one of these names");
        var load = MachineWords.LoadNow();
        var outcomes = await MakeAsync(chosen, parallel);
        var tried = outcomes.Select(outcome => outcome.Value).OfType<TriedRemedy>().ToArray();
        string[] failures =
            [.. outcomes.Where(outcome => outcome.Value is null).Select(outcome => $"{outcome.Plan.Name}: {outcome.Failure}")];
        var page = Write(MachineWords.Of([], load), tried)
            + string.Concat(failures.Select(failure => $"\nNot tried: {failure}\n"));
        Console.WriteLine(page);
        if (!dry)
            File.WriteAllText(Page, page);
        var goals = new Goals()
            .AtMost("remedies that left more than two thirds of the longest time", tried.Count(one => one.IsUseless), 0)
            .AtMost("runs outside what was imagined", tried.Count(one => !one.IsWithin), 0);
        return failures.Aggregate(goals, (all, failure) => all.Add($"not tried: {failure}", met: false)).Conclude();
    }

    static async Task<ImmutableArray<Outcome<TriedRemedy>>> MakeAsync(Trial[] trials, int parallel)
    {
        using var fixtures = new FixtureCopy();
        var scratch = Directory.CreateTempSubdirectory("remedies-").FullName;
        var plans = (from trial in trials from late in new[] { false, true } select (Trial: trial, Plan: trial.Plan(late)))
            .ToDictionary(one => one.Plan, one => one.Trial);
        try
        {
            return await new RunQueue(parallel, Limit).MakeAsync(
                [.. plans.Keys], (plan, cancel) => TriedRemedy.OfAsync(plans[plan], plan, (fixtures, scratch), cancel), Row);
        }
        finally
        {
            Directory.Delete(scratch, recursive: true);
        }
    }

    static string Write(string machine, TriedRemedy[] tried)
    {
        var text = new StringBuilder($"""
            # Remedies, tried

            Each program ran as it is and once more with the min that its report advises, or, where it advises none, with one worker for each item.
            What became of the items is from the program's own record. Written by `dotnet run --project tests/Tpwatch.Benchmarks -c Release -- remedies`.

            {machine}

            | held by | met late | said | min advised | min tried | longest from queued to ended | with that min | remedy | mean latency imagined | really |
            |---|---|---|---|---|---|---|---|---|---|

            """.ReplaceLineEndings("\n"));
        foreach (var one in tried)
            text.Append($"| {Row(one)} |\n");
        return text.ToString();
    }

    static string Row(TriedRemedy one) => string.Create(CultureInfo.InvariantCulture,
        $"{one.Trial.Kind} | {(one.Plan.LateMs is null ? "" : "yes")} | {ExpectationCheck.Word(one.Report.Verdict)} | "
            + $"{(one.Advised ? one.Tried : "none")} | {one.Tried} | {one.LongestBeforeMs / 1000:0.0} s | "
            + $"{one.LongestAfterMs / 1000:0.0} s | "
            + $"{Remedy(one)} | {Simulated(one)} | {one.LatencyMs / 1000:0.0} s");

    static string Remedy(TriedRemedy one) => (one.Advised, one.Helped) switch
    {
        (true, true) => "helped",
        (true, false) => one.Doubted ? "rightly doubted" : "USELESS",
        (false, true) => "none advised, though it helps",
        (false, false) => "rightly none",
    };

    static string Simulated(TriedRemedy one) => one.Simulated is not { Simulated.LatencyMs: { } better } answer
        ? one.Plan.LateMs is null ? "no answer" : ""
        : string.Create(CultureInfo.InvariantCulture,
            $"{better / 1000:0.0}{(answer.Worst?.LatencyMs is { } worse ? $" to {worse / 1000:0.0}" : "")} "
                + $"s{(one.IsWithin ? "" : " OUTSIDE")}");
}
