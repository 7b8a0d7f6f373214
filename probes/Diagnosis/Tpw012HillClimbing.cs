using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Reports changes of the target thread count by hill climbing: harmless, unless hill climbing removes worker threads while items wait.
/// </summary>
sealed class Tpw012HillClimbing : IFindingRule
{
    /// <summary>
    /// Minimum number of reductions for a warning. One may be a probe that is reversed; a second one while items still wait is a pattern.
    /// </summary>
    const int WorthWarning = 2;

    public string Id => "TPW012";
    public string Title => "Thread count adjustments by hill climbing";

    public FindingMeaning Text { get; } = new(
        "The pool tries one or a few threads more or fewer, and measures whether more items complete (hill climbing).",
        "The target thread count then goes up and down, often several times a second, which is normal. With few or long items, hill "
            + "climbing can misread the result and remove threads that waiting items need.",
        "Thread count adjustments made by hill climbing, and counter samples that show whether items waited.",
        "While no item waits, do nothing. Otherwise make the items shorter, and await instead of blocking in them. Workaround: set a "
            + "larger MinThreads, or switch hill climbing off (DOTNET_HillClimbing_Disable=1).",
        "If the items wait for one resource (a lock, a database), fewer threads complete just as many items.");

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var moves = report.InjectionDelays.Where(g =>
            g.IsClimbing && g.TargetThreadsBefore is { } before && g.TargetThreadsAfter is { } after && after != before)
            .ToArray();
        if (moves.Length == 0)
        {
            return MissingEvidence.ClearUnless(MissingEvidence.Events(report, "an adjustment by hill climbing"),
                MissingEvidence.Older(report));
        }

        var taken = moves
            .Where(g => g.TargetThreadsAfter < g.TargetThreadsBefore && g.QueueLength > 0
                && WaitingEpisodes.ForWorkers(report).Any(e => e.Span.Touches(new(g.End, g.End))))
            .ToArray();
        return new FindingRuleAnswer.Found(
            taken.Length >= WorthWarning && report.Verdict.IsWait() ? Harmful(report, moves, taken) : Harmless(report, moves, taken));
    }

    Finding Harmless(PoolEvidence report, InjectionDelay[] moves, InjectionDelay[] taken)
    {
        var (net, wave) = (Trend(moves), Wave(moves));
        return new(
            Id, Title, Severity.Note, Confidence.High, moves[0].End, moves[^1].End,
            $"Hill climbing changed the target thread count {AtLeast(report)}{Format.Times(moves.Length)}"
            + (moves.Length == 1 ? $", by {Signed(net)}."
                : Math.Abs(net) <= wave
                ? ", up and down around the same number."
                : $", by {Signed(net)} in total.")
            + (taken.Length == 0 ? $" {(moves.Length == 1 ? "This change is" : "These changes are")} harmless." : $" Hill climbing "
            + $"lowered the count {Format.Times(taken.Length)} while items waited."),
            [.. Evidence(report, moves)],
            [new("Nothing to do: with such changes the pool measures whether another thread helps.")]);
    }

    // The target thread count before the first adjustment is unknown, so that adjustment may be a further change.
    static string AtLeast(PoolEvidence report) =>
        report.InjectionDelays.Any(g => g is { IsClimbing: true, TargetThreadsBefore: null }) ? "at least " : "";

    Finding Harmful(PoolEvidence report, InjectionDelay[] moves, InjectionDelay[] taken) => new(
        Id, Title, Severity.Warning, Confidence.Medium, moves[0].End, moves[^1].End,
        $"Hill climbing lowered the target thread count {Format.Times(taken.Length)} while items waited. "
            + $"Over the whole capture, the changes by hill climbing add up to {Signed(Trend(moves))} "
            + $"{(Math.Abs(Trend(moves)) == 1 ? "thread" : "threads")}.",
        [
            new("The target thread count was lowered while items waited", taken.Length, "times", "event 55"),
            .. Evidence(report, moves),
        ],
        [
            new("Await instead of blocking in the items. While items block, hill climbing (the pool's throughput tuning) may remove "
                + "threads that are needed."),
            MinThreadsRemedy.Of(report),
            new(
                "If hill climbing still removes threads while items wait, switch hill climbing off.",
                "DOTNET_HillClimbing_Disable=1, or \"System.Threading.ThreadPool.HillClimbing.Disable\": true in runtimeconfig.json"),
        ]);

    /// <summary>The name of the only evidence that covers the whole capture and not only the changes.</summary>
    public const string CompletedOverAll = "Items completed, over the whole capture";

    static Evidence[] Evidence(PoolEvidence report, InjectionDelay[] moves)
    {
        var goals = moves.SelectMany(g => new[] { g.TargetThreadsBefore!.Value, g.TargetThreadsAfter!.Value }).ToArray();
        return
        [
            new("Hill climbing changed the target thread count" + (AtLeast(report).Length > 0 ? ": at least" : ""),
                moves.Length, "times", "event 55") { GoesOn = AtLeast(report).Length > 0 },
            new("Lowest target thread count before or after a change by hill climbing", goals.Min(), "workers", "event 55"),
            new("Highest target thread count before or after a change by hill climbing", goals.Max(), "workers", "event 55"),
            new("Net change of the target thread count by hill climbing alone", Trend(moves), "workers", "event 55"),
            new(CompletedOverAll, WaitingEpisodes.CompletedPerSecond(report.Timeline.CounterSamples), "a second", "heartbeat"),
        ];
    }

    // The sum of the changes by hill climbing; changes by other rules in between do not count.
    static int Trend(InjectionDelay[] moves) => moves.Sum(g => g.TargetThreadsAfter!.Value - g.TargetThreadsBefore!.Value);

    static double Wave(InjectionDelay[] moves) => moves.Average(g => Math.Abs(g.TargetThreadsAfter!.Value - g.TargetThreadsBefore!.Value));

    static string Signed(int workers) => workers.ToString("+0;-0;0", CultureInfo.InvariantCulture);
}
