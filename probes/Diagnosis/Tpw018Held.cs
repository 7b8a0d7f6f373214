using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>Finds hanging items: no item waits in the queue, but worker threads hold items that do not complete.</summary>
sealed class Tpw018Held : IFindingRule
{
    public string Id => "TPW018";
    public string Title => "Work items hang: worker threads are busy and none completes an item";

    public FindingMeaning Text { get; } = new(
        "Every item has a worker thread, so the queue is empty and the runtime detects no problem.",
        "But items hold at least as many worker threads as there are processors. No item has completed for seconds. Requests that wait for "
            + "those items hang. The threads are not idle: an idle worker thread sends an event and ends after 20 s.",
        "Counter samples without a completed item for 5 s, and the events of the worker threads. After attaching to a running process, "
            + "tpwatch needs 22 s of worker thread events. Stacks can show a hang sooner. If other items complete meanwhile, two looks at "
            + "the stacks prove a hang. Then more threads stayed in their call than items completed between the looks.",
        "Find what the worker threads wait for and fix it. Give the call a timeout. More threads would hang as well.",
        "A program that runs endless loops on purpose, on at least as many worker threads as there are processors. Loops that wait for "
            + "work look the same, until stacks or the memory of the process are read (TPW020).");

    public FindingCause Cause(PoolEvidence report)
    {
        var threads = report.MaxWorkers is { } most ? Format.Plural(most, "worker thread") : "worker threads";
        return new(CauseKind.Held, threads + " busy, and none completes a work item") { OfHeldThreads = true };
    }

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var held = report.Episodes.Where(e => e.Kind == Verdict.Held).ToArray();
        if (held.Length == 0)
        {
            return MissingEvidence.ClearUnless(
                MissingEvidence.CounterSamples(report),
                report.MayHang is null ? null
                    : new(MissingKind.Stacks, "no item completes, and tpwatch cannot tell idle threads from hanging ones"));
        }

        var last = held[^1];
        var workers = report.Timeline.CounterSamples.LastOrDefault(b => b.At <= last.Span.To)?.Workers;
        var (main, same) = (report.MainBlocker(), Unending(report));
        return new FindingRuleAnswer.Found(new(
            Id, Title, last.Over ? Severity.Warning : Severity.Serious,
            report.HasStacks ? Confidence.High : Confidence.Medium,
            held[0].Span.From, last.Span.To,
            (same is { } items
                ? $"{Format.Plural(items.Threads, "worker thread")} {(items.Threads == 1 ? "" : "each ")}ran one item "
                    + $"for at least {Format.Duration(items.Between.Ms)}: "
                : $"For {Format.Duration(last.Span.Ms)} none of {Format.Plural(workers ?? 0, "worker thread")} completed an item: ")
                + (last.Over ? "the items hung for that time" : "the items hang or take long")
                + (main is null ? "." : $", most of the items in {BlockingPlaceWords.PlaceWithArticle(main)}.") + Hidden(report),
            [
                new("Worker threads blocked at the first of two looks", same?.Held, "workers", "stacks, heartbeat"),
                new("Of these, held by the same item at the second look, at least", same?.Threads, "workers", "stacks, heartbeat")
                {
                    GoesOn = true,
                },
                new("Time without a completed item", last.Span.Ms, "ms", "heartbeat"),
                new("Worker threads while no item completed", workers, "workers", "heartbeat"),
                .. DeepEvidence.Stacks(report),
            ],
            [
                DeepEvidence.Mend(report, main, "Find the call in which the worker threads hang.", Hints.NamedBy(report)),
                new("Set a timeout on calls to databases and services, and on waits for locks. Then the items cannot hang forever."),
            ]));
    }

    // Worker threads that hold the same item in two stack bursts, even if other items complete; null when the problem is over.
    static UnendingItems? Unending(PoolEvidence report) => report.IsNow ? report.Bursts?.Unending : null;

    static string Hidden(PoolEvidence report) => report.Compensations > 0
        ? " The pool adds threads for waits on tasks, so the queue stays empty and does not show the hang." : "";
}
