using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Finds undetected starvation: items wait a second or more (<see cref="WaitTracker.AlarmMs"/>), but dequeues keep starvation detection
/// from triggering. <see cref="WaitCase.Rule"/> decides which waits are undetected.
/// </summary>
sealed class Tpw003UndetectedStarvation : IFindingRule
{
    public string Id => "TPW003";
    public string Title => "Undetected starvation (SILENTLY STARVED)";

    public FindingMeaning Text { get; } = new(
        "Items wait for seconds, but other items complete often enough that starvation detection never triggers.",
        "The detection adds a thread only when no item was dequeued for more than 500 ms. Each item that completes lets a waiting item "
            + "start, which restarts those 500 ms. So queued items keep waiting, and starvation detection adds no thread. Only hill "
            + "climbing may add threads. The runtime sends no event about the queue time.",
        "Queue length and completed items from at least two counter samples. An item waited from one sample to the next if fewer items "
            + "were dequeued than the queue held before.",
        "Make the blocking items asynchronous, or run them on dedicated threads. Workaround: a larger MinThreads.",
        "Only a batch whose items may wait for seconds by design. The counters prove the queue time.");

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.DetectorNotTriggered, $"worker threads {(IsDrained(report) ? "were " : "")}blocked, and starvation detection "
            + (Triggered(report) ? IsDrained(report) ? "rarely triggered" : "rarely triggers"
                : IsDrained(report) ? "did not trigger" : "does not trigger"))
        {
            OfHeldThreads = true,
        };

    static bool IsDrained(PoolEvidence report) => !report.IsNow || report.Timeline.Levels.QueueLength == 0;

    static bool Triggered(PoolEvidence report) => report.InjectionDelays.Any(g => g.Reason == AdjustmentReason.Starvation);

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        if (MissingEvidence.CounterSamples(report) is { } missing)
        {
            return new FindingRuleAnswer.Undecided(missing);
        }

        // Another rule reports starvation detection that is switched off.
        var off = PoolSwitch.On(report.Timeline.Target, PoolSwitch.DetectorDisabled) is not null;
        var (atMax, lacked) = (AtMax(report), new EpisodeIntervals(report.Episodes.Where(e => e.Kind == Verdict.Saturated)));
        var all = report.InjectionDelays.Where(g => g.Mechanism == Mechanism.G3Undetected && !off && !atMax.Hold(g.End)).ToArray();
        var waits = all.Where(g => !lacked.Hold(g.End)).ToArray();
        if (waits.Length == 0)
        {
            return MissingEvidence.ClearUnless(
                MissingEvidence.OlderWaits(report),
                all.Length > 0 && !report.HasStacks ? WaitingEpisodes.MissingStacksOfComputing(report) : null);
        }

        return IsMaxSuspected(report, waits)
            ? new FindingRuleAnswer.Undecided(MissingKind.Setting, "MaxThreads is not known, and the pool may have reached MaxThreads")
            : Find(report, waits);
    }

    /// <summary>Returns the episodes at an unknown MaxThreads; their first waits may have been judged as undetected starvation.</summary>
    static EpisodeIntervals AtMax(PoolEvidence report) =>
        new(report.Timeline.Target.MaxWorkers.Value is null ? report.Episodes.Where(e => e.Kind == Verdict.StarvedAtMax) : []);

    /// <summary>
    /// Whether an unknown MaxThreads is the likelier cause. Starvation detection triggers after 500 ms without a dequeue. Fewer than two
    /// dequeues per second cannot prevent that for long.
    /// </summary>
    static bool IsMaxSuspected(PoolEvidence report, InjectionDelay[] waits)
    {
        var samples = report.Timeline.CounterSamples.Where(b => waits.Any(w => b.At > (w.Start ?? w.End) && b.At <= w.End)).ToArray();
        var ms = samples.Sum(b => b.IntervalMs ?? 0);
        return report.Timeline.Target.MaxWorkers.Value is null && ms > 0 && !HasGrownSince(report, waits)
            && samples.Sum(b => b.Completed ?? 0) * 1000 / ms < GateTiming.MaskingDequeuesPerSecond;
    }

    // Whether the target thread count later exceeded its value during the waits; if so, MaxThreads was not reached during the waits.
    static bool HasGrownSince(PoolEvidence report, InjectionDelay[] waits) => waits.Select(w => w.TargetThreadsAfter).Max() is { } stood
        && report.InjectionDelays.Any(g => g.Reason is not null && g.TargetThreadsAfter > stood
            && g.End > (waits[0].Start ?? waits[0].End));

    // Whether starvation detection has triggered after the last of the waits; another rule reports that starvation.
    static bool IsOver(PoolEvidence report, InjectionDelay[] waits) =>
        report.Verdict == Verdict.Starved && report.InjectionDelays.Any(g => g.Reason == AdjustmentReason.Starvation
            && g.End > waits[^1].End);

    // Medium if MaxThreads may be the cause instead: its value is unknown, or the event that reports MaxThreads may be lost.
    static Confidence Sureness(PoolEvidence report, InjectionDelay[] waits) =>
        report.Timeline.Target.MaxWorkers.Value is null || !waits.Any(w => MissingEvidence.NothingLostBefore(report, w.End))
            ? Confidence.Medium : Confidence.High;

    FindingRuleAnswer.Found Find(PoolEvidence report, InjectionDelay[] waits) =>
        new(new(
            Id, Title, IsOver(report, waits) ? Severity.Warning : Severity.Serious, Sureness(report, waits),
            waits[0].Start ?? waits[0].End, waits[^1].End,
            Triggered(report)
                ? "Work items wait for seconds. Starvation detection rarely triggers, because items are often "
                    + "dequeued less than 500 ms apart."
                : "Work items wait for seconds. Starvation detection adds no thread, because an item is dequeued at least every 500 ms.",
            [
                // First, because the screen shows the first duration of this list next to the duration of the verdict.
                WaitingEpisodes.Longest(report),
                new("Time in which items waited and starvation detection did not trigger",
                    Math.Min(waits.Sum(g => g.ObservedMs ?? 0), WaitingEpisodes.ForWorkers(report).Sum(e => e.Span.Ms)), "ms", "heartbeat"),
                new("Longest queue", report.MaxQueueLength, "items", "heartbeat"),
                .. DeepEvidence.Stacks(report), .. DeepEvidence.Delay(report), .. InsideEvidence.Queue(report),
            ],
            [
                DeepEvidence.MendUndetected(report),
                MinThreadsRemedy.Of(report),
            ]));
}
