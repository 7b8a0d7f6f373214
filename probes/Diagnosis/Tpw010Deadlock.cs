using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Finds a pool in which no item completes although worker threads are added: all worker threads wait for queued items, or for an external
/// resource.
/// </summary>
sealed class Tpw010Deadlock : IFindingRule
{
    /// <summary>
    /// Minimum time without a completed item, milliseconds: 20 gate checks. Items that hold worker threads for this time without any
    /// completion are rare, and TPW009 reports them.
    /// </summary>
    const double LongMs = 10_000;

    /// <summary>Minimum time without a completed item at MaxThreads, milliseconds: shorter, because no thread can be added.</summary>
    const double AtMaxMs = 5_000;

    /// <summary>
    /// Minimum time without a completed item for a serious finding below MaxThreads, milliseconds. Before that, calls to an external
    /// resource may still run; their usual timeout is 30 s.
    /// </summary>
    const double SureMs = 30_000;

    /// <summary>
    /// Minimum number of worker threads added without a completed item. One or two of them may run long items. If three or more complete no
    /// item, the items seem to wait for queued items.
    /// </summary>
    const int Joined = 3;

    /// <summary>Minimum processor use that shows that some thread computes, possibly for an item, 0 to 1.</summary>
    const double Computing = 0.3;

    /// <summary>
    /// The largest MaxThreads that is shown as evidence although it is not reached. A larger one sets no limit in practice.
    /// </summary>
    const long MostWorkers = 1000;

    public string Id => "TPW010";
    public string Title => "No work item completes: a deadlock, a slow dependency or long items";

    public FindingMeaning Text { get; } = new(
        "Every worker thread waits, each added thread waits too, and no item completes.",
        "Running items may wait for items that are still in the queue: a deadlock. At MaxThreads, such a deadlock is permanent. Below "
            + "MaxThreads, the pool may recover slowly: the gate thread adds at most one thread every 500 ms.",
        "No completed item for 10 s while items wait and the pool added three threads. At MaxThreads, 5 s suffice. Stacks show in which "
            + "call the threads wait.",
        "Make items await what they depend on. If all items wait for one external dependency, fix it and give the call a timeout. "
            + "Workaround for a deadlock: set MinThreads, and MaxThreads if it is lower, to the number of running plus queued items.",
        "Items that all take longer than the capture, such as a slow batch, look the same. Stacks tell a slow batch from a deadlock.");

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.NothingEnds,
            "no work item completes (perhaps a deadlock, one slow dependency or long-running items)")
        { OfHeldThreads = true };

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        if (MissingEvidence.CounterSamples(report) is { } missing)
        {
            return new FindingRuleAnswer.Undecided(missing);
        }

        if (Stall.Longest(report) is not { } stall || stall.Span.Ms < (IsAtMax(report) ? AtMaxMs : LongMs)
            || (stall.Added < Joined && !IsAtMax(report)) || report.Verdict is Verdict.Saturated or Verdict.Wedged)
        {
            return MissingEvidence.ClearUnless(MissingEvidence.Lost(report, "so it is not known whether items completed"));
        }

        if (report.HasStacks)
        {
            return BySampled(report, stall);
        }

        var lasted = Format.Duration(stall.Span.Ms);
        var lacking = WaitingEpisodes.NoStacks(report);
        return !stall.Lasts ? new FindingRuleAnswer.Undecided(
                MissingKind.Stacks, $"no item completed for {lasted}, but later some did; {lacking}")
            : stall.Cpu >= Computing ? new FindingRuleAnswer.Undecided(
                MissingKind.Stacks,
                    $"no item completed for {lasted}, but the processors were {Format.Percent(stall.Cpu.Value)} busy; {lacking}")
            : ProcessorLack.Of(report).IsProven ? new FindingRuleAnswer.Undecided(
                MissingKind.Stacks, $"no item completed for {lasted}, but threads waited for processors; {lacking}")
            : new FindingRuleAnswer.Found(Find(report, stall));
    }

    // The answer if stacks were taken: threads that compute are not in a deadlock; threads that all wait may be in a deadlock.
    FindingRuleAnswer BySampled(PoolEvidence report, Stall stall) => DeepEvidence.Share(report, BlockKind.Cpu) >= Computing
        ? new FindingRuleAnswer.Clear()
        : new FindingRuleAnswer.Found(Find(report, stall));

    /// <summary>
    /// The sentence that worker threads wait for items that are themselves in the queue, with the names of the call and of the task. Null
    /// unless at least half of the waiting threads are proven to wait for such items.
    /// </summary>
    public static string? Cycle(PoolEvidence report)
    {
        if (report.Inside is not { } reading || !InsideConclusion.IsForQueue(reading))
        {
            return null;
        }

        var (count, first) = (InsideConclusion.ForQueue(reading), reading.Waits.Where(w => w.NeedsWorker()).MaxBy(w => w.Workers)!);
        return $"{Format.Plural(count, "worker thread")} wait{(count == 1 ? "s" : "")} for what is itself in the queue: "
            + $"{first.Place} waits for {(first.Path.Length > 0 ? first.Path : "a task")}. "
            + "That task needs a worker thread to go on. This is a deadlock on queued items: it ends only if the pool adds threads.";
    }

    static string WhatFor(PoolEvidence report) => report.Bursts?.WaitsFor switch
    {
        WaitsFor.QueuedItems when Cycle(report) is { } cycle => cycle,
        WaitsFor.QueuedItems => "Every worker thread waits for a task or an event, and no running thread will complete what they wait for. "
            + "They are in a deadlock on queued items, unless a timer or a socket completes the task."
            + (report.Bursts.Outside is [var outside, ..]
                ? $" Or they wait for {Tpw021Outside.Who(outside)}, which is blocked as well, in {outside.Chain}." : ""),
        WaitsFor.Outside when report.MainBlocker() is { } main =>
            $"The threads do not wait for queued items. {Format.Percent(main.Share)} of the {DeepEvidence.Sampled(report)} are in "
                + $"{BlockingPlaceWords.PlaceWithArticle(main)}.",
        _ when report.MainBlocker() is { Kind: BlockKind.Lock } main =>
            $"Most of the threads are at one lock: {main.Chain}.",
        _ => "Possible causes: a deadlock on queued items, one slow external dependency, or long-running items.",
    };

    static int? Max(PoolEvidence report) => report.Timeline.Target.MaxWorkers.Value;

    static bool IsAtMax(PoolEvidence report) =>
        report.Timeline.Levels.Workers >= Max(report) || report.InjectionDelays is [.., { Mechanism: Mechanism.G8Ceiling }];

    static (Severity, Confidence) Significance(PoolEvidence report, Stall stall) =>
        report.Bursts?.WaitsFor is WaitsFor.Outside ? (Severity.Serious, Confidence.High)
        : report.Bursts?.WaitsFor is WaitsFor.QueuedItems ? (Severity.Serious, Cycle(report) is null ? Confidence.Medium : Confidence.High)
        : IsAtMax(report) || stall.Span.Ms >= SureMs ? (Severity.Serious, Confidence.Medium) : (Severity.Warning, Confidence.Low);

    Finding Find(PoolEvidence report, Stall stall) => new(
        Id, Title, Significance(report, stall).Item1, Significance(report, stall).Item2, stall.Span.From, stall.Span.To,
        $"No work item completed in {Format.Duration(stall.Span.Ms)}{Joining(stall)}. {WhatFor(report)}"
            + (IsAtMax(report) ? (Max(report) is null ? " Probably MaxThreads is reached, and the pool adds no more threads."
                : " MaxThreads is reached: the pool adds no more threads.") : ""),
        [
            new("Time without a completed item", stall.Span.Ms, "ms", "heartbeat"),
            new("Threads added in that time", stall.Added, "workers", "event 55"),
            new("Waiting items", stall.QueueLength, "items", "heartbeat"),
            new("Processor use while no item completed", stall.Cpu * 100, "%", "heartbeat"),
            .. DeepEvidence.Stacks(report), InsideEvidence.ForQueue(report), .. InsideEvidence.Queue(report),
            new(IsAtMax(report) ? "MaxThreads (reached)" : "MaxThreads",
                Max(report) <= MostWorkers || IsAtMax(report) ? Max(report) : null, "workers", "settings"),
        ],
        [
            DeepEvidence.Mend(report, report.MainBlocker(), "Await what the items block on.", Hints.NamedBy(report)),
            .. report.MainBlocker() is { Kind: BlockKind.Sleep or BlockKind.Lock } ? Array.Empty<Remedy>()
                : [new("If all items wait for one database or service, find out why it is slow. Set a timeout.")],
            .. Stopgap(report, stall),
        ]);

    static string Joining(Stall stall) => stall.Added > 0
        ? $". In that time, the pool added {Format.Plural(stall.Added, "worker thread")}"
        : ", and every worker thread is busy";

    // The workaround: with a worker thread for each running or queued item, the awaited items can run. Empty if the awaited resource is
    // known to be external, or if a larger MinThreads is refused.
    static IEnumerable<Remedy> Stopgap(PoolEvidence report, Stall stall) =>
        report.Verdict is not (Verdict.Starved or Verdict.SilentlyStarved) || report.Bursts?.WaitsFor is WaitsFor.Outside
            || Bottleneck.Of(report) is not null || MinThreadsRemedy.Advised(report) is null
            ? []
            : Max(report) < (report.Timeline.Levels.Workers ?? report.MaxWorkers) + stall.QueueLength
            ? [MinThreadsRemedy.Of(report), RaiseMaxToo]
            : [MinThreadsRemedy.Of(report)];

    static readonly Remedy RaiseMaxToo =
        new("If it is a deadlock, raise MaxThreads as well: it must allow one thread for each running and queued item.");
}
