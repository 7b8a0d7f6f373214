using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>Finds threads that wait for each other's locks. One memory reading proves such a deadlock, for any number of threads.</summary>
sealed class Tpw022LockCycle : IFindingRule
{
    public string Id => LeadingFinding.DeadlockId;
    public string Title => "Threads are in a deadlock: each waits for a lock that the next one holds";

    public FindingMeaning Text { get; } = new(
        "Two or more threads take the same locks in a different order.",
        "Each holds a lock that the next one waits for. Unless a wait has a timeout, none of these threads ever continues. Other threads "
            + "that need one of these locks hang as well.",
        "The memory of the process shows which thread waits for which lock, and which thread holds it. One reading is enough.",
        "Take locks in the same order everywhere, or use one lock instead of several. Call no foreign code while you hold a lock. To end "
            + "this deadlock, restart the process.",
        "Waits with a timeout look the same: Monitor.TryEnter with a time ends by itself.");

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.Deadlock, "threads wait for each other's locks (a deadlock)") { OfHeldThreads = true };

    public FindingRuleAnswer Look(PoolEvidence report) => report.Inside is not { } reading
        ? MissingEvidence.ClearUnlessHanging(report, "only the memory of the process shows which thread holds a lock")
        : reading.Deadlock is { } cycle ? new FindingRuleAnswer.Found(Find(report, reading.At, cycle)) : new FindingRuleAnswer.Clear();

    Finding Find(PoolEvidence report, EventTime at, LockCycle cycle) => new(
        Id, Title, Severity.Serious,
        report.Timeline.Target.RuntimeMajor >= TargetFacts.FirstWithLockFrames ? Confidence.High : Confidence.Medium, at,
        EventTime.Max(at, report.Timeline.Now),
        InsideWords.Of(cycle),
        [
            new("Threads that wait for each other's locks", cycle.Threads.Length, "threads", "memory"),
            new("Threads that wait for one of these locks, including them",
                cycle.Blocked > cycle.Threads.Length ? cycle.Blocked : null, "threads", "memory"),
            new("Of these, worker threads of the pool", cycle.Workers, "workers", "memory"),
        ],
        [
            new("Take these locks in the same order everywhere, or use one lock instead of several. "
                + "Call no foreign code while you hold a lock."),
            new("Restart the process to end this deadlock. A timeout (Monitor.TryEnter) shows the next one sooner."),
        ]);
}
