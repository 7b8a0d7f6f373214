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
        "Up to min a worker is created as soon as an item asks for one; above min only the gate's ticks (one or two "
            + "workers a second) or the steps for task "
        + "waits (four a second and more) bring others. Work that comes at once after the start or after a pause thus waits for that "
        + "ramp, however idle the machine is.",
        "Heartbeats before and after the burst: an idle pool, then many items at once and few that follow; and a wait for workers in it.",
        "Let the burst need fewer workers: await what its items block on, or let it in at a limited width. A min as large as the "
            + "burst removes the ramp altogether.",
        "A load that begins and then goes on looks like a burst for its first two or three heartbeats; "
            + "until then the rule does not speak.");

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
            WaitedFromTheFirst(report) ? "how the queue came about: it was there when the capture began" : null,
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
