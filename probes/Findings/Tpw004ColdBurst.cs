using Tpwatch.Basics;
using Tpwatch.Findings.Clues;
using Tpwatch.Findings.Remedies;
using Tpwatch.Reports;

namespace Tpwatch.Findings;

/// <summary>Much work at once onto an idle pool: as many items as min begin, the others wait for one worker after another.</summary>
sealed class Tpw004ColdBurst : IFinder
{
    public string Id => "TPW004";

    public string Title => "Burst of work items above MinThreads";

    public FindingMeaning Text { get; } = new(
        "Up to MinThreads the pool creates a thread as soon as an item needs one. Above it, the pool adds one or two threads a "
            + "second, or a few more for task waits. Many items at once, after the start or a pause, wait for these threads. Idle "
            + "processors do not help.",
        "Counter samples before and after the burst: an idle pool, many items at once, few that follow. And items that waited.",
        "Let the burst need fewer threads: await what its items block on, or limit how many run at once. Workaround: set MinThreads "
            + "to the size of the burst.",
        "A load that begins and goes on looks like a burst at first. The rule waits for two or three counter samples.");

    public FindingCause Cause(PoolReport report) =>
        new(CauseKind.Effect, "more work items at once than MinThreads") { OfHeldThreads = true };

    public FinderAnswer Look(PoolReport report)
    {
        var bursts = Burst.In(report);
        if (bursts.Any(b => b.Decided))
        {
            return new FinderAnswer.Found(Describe(report, [.. bursts.Where(b => b.Decided)]));
        }

        return Unseen.ClearUnless(
            Unseen.Beats(report),
            bursts.IsEmpty ? null : "whether more work follows: two more counter samples",
            WaitedFromTheFirst(report) ? "the start of the queue: items waited already when the capture began" : null,
            Waits.IsStarving(report) ? Unseen.Events(report, "the idle time before a burst") : null);
    }

    static bool WaitedFromTheFirst(PoolReport report) =>
        report.Timeline.Heartbeats is [{ Backlog: > 0 } first, ..] && Waits.ForWorkers(report).Any(e => e.Span.From <= first.At);

    // Then that is the fault, and the burst only shows it; so it is where the ramp consists of steps for task waits.
    static bool IsHeldUpOtherwise(PoolReport report) =>
        report.Gaps.Any(g => g.Mechanism == Mechanism.G8Ceiling)
        || PoolSwitch.On(report.Timeline.Target, PoolSwitch.DetectorDisabled) is not null
        || ProcessorLack.Of(report).IsProven;

    Finding Describe(PoolReport report, Burst[] bursts)
    {
        var largest = bursts.MaxBy(b => b.Items)!;
        var injections = report.Gaps.Where(g => Waits.IsInjection(g) && bursts.Any(b => g.End > b.From && g.End <= b.To)).ToArray();
        var taskWaits = injections.Count(g => g.Reason == AdjustmentReason.CooperativeBlocking);
        var lasted = Format.Duration(largest.To.MsSince(largest.From));
        return new(
            Id, Title, taskWaits * 2 > injections.Length || IsHeldUpOtherwise(report) ? Severity.Note : Severity.Warning,
            bursts.Any(b => b.Over) ? Confidence.High : Confidence.Medium,
            bursts[0].From, bursts[^1].To,
            $"About {Format.Plural(largest.Items, "item")} came at once to an idle pool, and {Format.Count(largest.AtOnce)} began. "
            + (largest.Over ? $"The others waited for up to {lasted}" : $"The others wait, some for {lasted}")
            + (bursts.Length > 1 ? $" (the largest of {bursts.Length} bursts)." : "."),
            [
                new("Items that came at once, about", largest.Items, "items", "heartbeat"),
                new("Threads for them at once", largest.AtOnce, "workers", "heartbeat"),
                new("Threads added one at a time", injections.Length - taskWaits, "workers", "event 55"),
                .. taskWaits > 0
                    ? [new Evidence("Thread injections for task waits", taskWaits, "adjustments", "event 55")]
                    : Array.Empty<Evidence>(),
            ],
            [
                new("Await what the items of the burst block on. Or limit how many run at once "
                    + "(Parallel.ForEachAsync, a bounded channel)."),
                MinThreadsRemedy.Of(report),
            ]);
    }
}
