using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Finds a burst of items on a quiet pool. Up to MinThreads items start. The others wait for worker threads that are added one by one.
/// </summary>
sealed class Tpw004ColdBurst : IFindingRule
{
    public string Id => "TPW004";
    public string Title => "Burst of work items above MinThreads";

    public FindingMeaning Text { get; } = new(
        "Up to MinThreads, the pool creates a thread as soon as an item needs one.",
        "Above MinThreads, the pool adds one or two threads a second. For task waits, the pool adds some threads at once, then 4 to 40 a "
            + "second. Many items that arrive at once, after startup or a pause, wait for added threads, even while processors are idle.",
        "Counter samples around the burst that show an empty queue, then many items at once, then few. Items must have waited.",
        "Make the burst need fewer threads: await what the items block on, or limit how many items run at once. Workaround: set MinThreads "
            + "to the size of the burst.",
        "The start of a steady load looks like a burst at first. So this check waits for two or three counter samples.");

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.Effect, "more work items at once than MinThreads") { OfHeldThreads = true };

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var bursts = ItemBurst.In(report);
        ItemBurst[] decided = [.. bursts.Where(b => b.Decided)];
        return decided.Length > 0 ? new FindingRuleAnswer.Found(Describe(report, decided))
            : MissingEvidence.ClearUnless(
                MissingEvidence.CounterSamples(report),
                bursts.IsEmpty ? null : new(MissingKind.CounterSamples, "two more counter samples must show whether more work follows"),
                WaitedFromTheFirst(report)
                    ? new(MissingKind.Beginning,
                        "items already waited at the first counter sample, so it is not known how many arrived together") : null,
                report.Verdict.IsWait() ? MissingEvidence.Events(report, "the start of a burst") : null);
    }

    static bool WaitedFromTheFirst(PoolEvidence report) =>
        report.Timeline.CounterSamples is [{ QueueLength: > 0 } first, ..]
            && WaitingEpisodes.ForWorkers(report).Any(e => e.Span.From <= first.At);

    // Whether another cause makes the items wait: MaxThreads, switched-off starvation detection or a lack of processors.
    static bool IsHeldUpOtherwise(PoolEvidence report) =>
        report.InjectionDelays.Any(g => g.Mechanism == Mechanism.G8Ceiling)
        || PoolSwitch.On(report.Timeline.Target, PoolSwitch.DetectorDisabled) is not null
        || ProcessorLack.Of(report).IsProven;

    static string Left(PoolEvidence report) => report.Timeline.Levels.QueueLength is { } left
        ? $"{Format.Plural(left, "item")} still {(left == 1 ? "waits" : "wait")}" : "Some still wait";

    Finding Describe(PoolEvidence report, ItemBurst[] bursts)
    {
        var largest = bursts.MaxBy(b => b.Items)!;
        var injections = report.InjectionDelays
            .Where(g => g.IsInjection && bursts.Any(b => g.End > b.From && g.End <= b.To)).ToArray();
        var taskWaits = injections.Count(g => g.Reason == AdjustmentReason.CooperativeBlocking);
        var arriving = Format.Duration(largest.Arrived.MsSince(largest.From));
        var lasted = Format.Duration(largest.To.MsSince(largest.From));
        return new(
            Id, Title, taskWaits * 2 > injections.Length || IsHeldUpOtherwise(report) ? Severity.Note : Severity.Warning,
            bursts.Any(b => b.Over) ? Confidence.High : Confidence.Medium,
            bursts[0].From, bursts[^1].To,
            $"{(largest.Before == 0 ? "The pool was idle" : "No item waited")}, "
            + $"then about {Format.Plural(largest.Items, "item")} arrived within {arriving}. "
            + $"At the first counter sample, the pool had {Format.Plural(largest.AtOnce, "thread")}"
            + (largest.Before == 0 ? " for these items. " : $", of which {Format.Count(largest.Before)} existed before. ")
            + (largest.Over ? $"The last of them started up to {lasted} after the burst began." : $"{Left(report)}.")
            + (bursts.Length > 1 ? $" This burst was the largest of {bursts.Length}." : ""),
            [
                new("Items in the burst: about", largest.Items, "items", "heartbeat") { GoesOn = true },
                new("Threads at the first counter sample after the burst", largest.AtOnce, "workers", "heartbeat"),
                new("Threads added later because of starvation", injections.Length - taskWaits, "workers", "event 55"),
                new("The target thread count was raised for task waits during the burst", taskWaits > 0 ? taskWaits : null, "times",
                    "event 55"),
            ],
            report.Verdict == Verdict.Wedged
                ? [new("The pool is wedged: its threads would not take the items of a smaller burst either. See TPW016.")]
                :
                [
                    new("Await what the items of the burst block on, or limit how many run at once "
                        + "(Parallel.ForEachAsync, a bounded channel)."),
                    MinThreadsRemedy.Of(report),
                ]);
    }
}
