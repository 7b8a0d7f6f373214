using System.Globalization;
using System.Text.RegularExpressions;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Lab.Runs;
using Tpwatch.Reports;
using Tpwatch.Scoring.Checks;
using Tpwatch.WhatIf;

namespace Tpwatch.Lab.Remedies;

/// <summary>
/// Tries what the reports advise: each sick program runs as it is, attached to from the start and late, and once more with the min that is
/// advised. Writes tests/REMEDIES.md; misses its goals where a remedy was useless or the truth lies outside what was imagined.
/// </summary>
static class RemediesCommand
{
    const int UsualParallel = 3;

    static readonly TimeSpan Limit = TimeSpan.FromMinutes(40);

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (parallel, dry) = (words.Number("--parallel", UsualParallel), words.Has("--dry"));
        var chosen = Trial.All.Where(trial => words.Rest.Count == 0 || words.Rest.Contains(trial.Scenario)).ToArray();
        if (chosen.Length == 0)
            return words.Refuse("no trial has one of these names");
        var load = MachineWords.LoadNow();
        var plans = (from trial in chosen from late in new[] { false, true } select (Trial: trial, Plan: trial.Plan(late)))
            .ToDictionary(one => one.Plan, one => one.Trial);
        var outcomes = await RunQueue.MakeAsync([.. plans.Keys], parallel, Limit,
            (plan, fixtures, cancel) => TriedRemedy.OfAsync(plans[plan], plan, fixtures, cancel), Row);
        var tried = outcomes.Select(outcome => outcome.Value).OfType<TriedRemedy>().ToArray();
        var page = Write(MachineWords.Of(load), tried) + string.Concat(RunQueue.Failures(outcomes).Select(one => $"\nNot tried: {one}\n"));
        Console.WriteLine(page);
        if (!dry)
            File.WriteAllText(BuiltPrograms.InTests("REMEDIES.md"), page);
        return RunQueue.Conclude(outcomes, new Goals()
            .AtMost("remedies that left more than two thirds of the longest time", tried.Count(one => one.IsUseless), 0)
            .AtMost("runs outside what was imagined", tried.Count(one => !one.IsWithin), 0));
    }

    static string Write(string machine, TriedRemedy[] tried) => $"""
        # Remedies, tried

        Each program ran as it is and once more with the min that its report advises, or, where it advises none, with one worker for each item.
        What became of the items is from the program's own record. Written by `dotnet run --project tests/Tpwatch.Lab -c Release -- remedies`.

        {machine}

        | held by | met late | said | min advised | min tried | longest from queued to ended | with that min | remedy | mean latency imagined | really |
        |---|---|---|---|---|---|---|---|---|---|
        {string.Join('\n', tried.Select(one => $"| {Row(one)} |"))}

        """.ReplaceLineEndings("\n");

    static string Row(TriedRemedy one) => $"{one.Trial.Kind} | {(one.Plan.LateMs is null ? "" : "yes")} | "
        + $"{ExpectationCheck.Word(one.Report.Verdict)} | {(one.Advised ? one.Tried : "none")} | {one.Tried} | "
        + $"{one.LongestBeforeMs / 1000:0.0} s | {one.LongestAfterMs / 1000:0.0} s | "
        + $"{Remedy(one)} | {Simulated(one)} | {one.LatencyMs / 1000:0.0} s";

    static string Remedy(TriedRemedy one) => (one.Advised, one.Helped) switch
    {
        (true, true) => "helped",
        (true, false) => one.Doubted ? "rightly doubted" : "USELESS",
        (false, true) => "none advised, though it helps",
        (false, false) => "rightly none",
    };

    static string Simulated(TriedRemedy one) => one.Simulated is not { Simulated.LatencyMs: { } better } answer
        ? one.Plan.LateMs is null ? "no answer" : ""
        : $"{better / 1000:0.0}{(answer.Worst?.LatencyMs is { } worse ? $" to {worse / 1000:0.0}" : "")} s"
            + (one.IsWithin ? "" : " OUTSIDE");
}

/// <summary>A sick program that ends by itself, what holds its workers, and a min that is tried where none is advised.</summary>
sealed record Trial(string Kind, string Scenario, string Words, int Use)
{
    /// <summary>When somebody who comes late attaches, milliseconds after the program began.</summary>
    const int LateMs = 3_000;

    public static Trial[] All { get; } =
    [
        new("sleep", "pool-burst", "--items 40 --hold 3000 --seconds 60", 40),
        new("a slow server", "blocking-socket", "--items 60 --hold 1500 --seconds 40", 60),
        new("Task.WaitAll", "wait-all", "--items 60 --hold 1500 --seconds 40", 60),
        new("tasks", "sync-over-async", "--items 60 --hold 6000 --seconds 30", 60),
        new("tasks and sleep", "mixed-wait", "--items 60 --hold 3000 --seconds 40", 60),
        new("a lock", "lock-convoy", "--items 40 --hold 250 --seconds 30", 40),
        new("two permits", "semaphore", "--items 60 --hold 400 --permits 2 --seconds 30", 60),
        new("a steady load of sleeps", "capped-blocking", "--max 500 --items 1000 --seconds 30", 50),
        new("processors", "cpu-bound", "--items 24 --work 1000 --by processor --seconds 60", 24),
        new("max", "capped-blocking", "--max 10 --items 150 --seconds 30", 10),
    ];

    /// <summary>The run as it is, met from its beginning or late.</summary>
    public RunPlan Plan(bool late) => new(ScenarioRow.Of(Scenario), TargetRuntime.Net10)
    {
        Words = [Scenario, .. Words.Split(' ')],
        LateMs = late ? LateMs : null,
    };
}

/// <summary>
/// A program as it is and once more with the min that its report advises, or with one that it does not advise; what became of the waits is
/// what the program's own record says.
/// </summary>
sealed partial record TriedRemedy(Trial Trial, RunPlan Plan, PoolReport Report, RunTruth Before, RunTruth After, int Tried, bool Advised)
{
    /// <summary>Where one number is given, so far off it may be; bounds may be passed by as much.</summary>
    const double Within = 0.10;

    /// <summary>A difference below this is none, milliseconds.</summary>
    const double NothingMs = 50;

    public static async Task<TriedRemedy> OfAsync(Trial trial, RunPlan plan, FixtureCopy fixtures, CancellationToken cancel)
    {
        // At the depth that a report has by itself: what blocks decides whether a min is advised at all.
        var before = await AttachedRun.OfAsync(plan, fixtures, cancel, CaptureDepth.Auto);
        var advised = Min(before.Run.Report);
        var tried = advised ?? trial.Use;
        var again = plan with { LateMs = null, Words = [.. WithMax(plan.Words, tried), "--min", $"{tried}"] };
        var after = await AttachedRun.OfAsync(again, fixtures, cancel);
        return new(trial, plan, before.Run.Report, before.Run.Truth, after.Run.Truth, tried, advised is not null);
    }

    public double LongestBeforeMs => Longest(Before);

    public double LongestAfterMs => Longest(After);

    public bool Helped => LongestAfterMs <= MetLate.Helps * LongestBeforeMs;

    /// <summary>Advised with a word of doubt: no stacks came before the end, so that a lock could not be told.</summary>
    public bool Doubted => Advised && Report.Findings.SelectMany(finding => finding.Remedies).Any(remedy => remedy.IsDoubtedMin);

    /// <summary>Advised without a word of doubt, and nothing came of it.</summary>
    public bool IsUseless => Advised && !Helped && !Doubted;

    /// <summary>
    /// The mean time from queued to ended with that min as it was imagined from the first run; null where there is no answer.
    /// </summary>
    public WhatIfAnswer? Simulated =>
        Plan.LateMs is null && WhatIfStudy.Of(Report, new EstimatedItems(),
            out _)?.Answer(new() { Min = Tried }) is { Unknown: null } answer
            ? answer
            : null;

    /// <summary>The mean time from queued to ended in the second run, milliseconds; one that did not end had taken until the end.</summary>
    public double LatencyMs => After.Items.Average(item => After.Ms(item.Enqueued, item.Ended ?? After.End.At));

    /// <summary>Whether what really came lies within what was imagined; true where nothing was.</summary>
    public bool IsWithin
    {
        get
        {
            if (Simulated is not { Simulated.LatencyMs: { } better } answer)
                return true;
            var worse = answer.Worst?.LatencyMs ?? better;
            return LatencyMs >= better * (1 - Within) - NothingMs && LatencyMs <= worse * (1 + Within) + NothingMs;
        }
    }

    static double Longest(RunTruth truth) => truth.Items.Max(item => truth.Ms(item.Enqueued, item.Ended ?? truth.End.At));

    // Max must allow as many, the remedy says.
    static IEnumerable<string> WithMax(IReadOnlyList<string> words, int min) => words.Select(
        (word, i) => i > 0 && words[i - 1] == "--max" && int.Parse(word, CultureInfo.InvariantCulture) < min ? $"{min}" : word);

    // As whoever reads the report would: the first setting that says a number.
    static int? Min(PoolReport report) => report.Findings.SelectMany(finding => finding.Remedies)
        .Select(remedy => MinSetting.Match(remedy.Setting ?? "")).FirstOrDefault(match => match.Success) is { } found
        ? int.Parse(found.Groups["min"].Value, CultureInfo.InvariantCulture)
        : null;

    [GeneratedRegex(@"ThreadPool\.MinThreads"": (?<min>\d+)")]
    static partial Regex MinSetting { get; }
}
