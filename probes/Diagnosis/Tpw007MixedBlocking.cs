using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Finds blocking that the pool cannot detect and that has raised the target thread count. The pool subtracts the threads added for such
/// blocking from the compensation for task waits.
/// </summary>
sealed class Tpw007MixedBlocking : IFindingRule
{
    /// <summary>
    /// Minimum number of threads added for starvation that can matter to task waits. Fewer have hardly any effect, because the pool
    /// compensates for as many task waits at once as there are processors.
    /// </summary>
    const int WorthAsking = 3;

    public string Id => "TPW007";
    public string Title => "Mixed blocking: task waits get no extra threads";

    public FindingMeaning Text { get; } = new(
        "For task waits, the pool raises the target thread count to MinThreads plus the threads that wait.",
        "Threads added for locks, sleeps or synchronous I/O have raised the target thread count already. So for each thread added for such "
            + "calls, one thread that waits for a task gets no replacement.",
        "Thread count adjustments with both reasons, CooperativeBlocking and Starvation, while threads wait for tasks. Task waits without "
            + "an extra thread are visible in stacks only.",
        "First fix the blocking that the pool cannot detect: then task waits get extra threads again. Also await the tasks. Workaround: a "
            + "larger MinThreads.",
        "High memory use (TPW008) has the same effect. If the memory load is not known, the confidence is medium.");

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.BothBlockings, "worker threads blocked on tasks, and in calls that the pool cannot detect") { OfHeldThreads = true };

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var side = StarvationInjections.DuringTaskWaits(report).Where(g => g.TargetThreadsBefore > Free(report)).ToImmutableArray();
        var told = report.InjectionDelays.Where(g => g
            is { Mechanism: Mechanism.G7Debt, Verdict: not DelayVerdict.Open }).ToImmutableArray();
        if (told.IsEmpty && side.IsEmpty)
        {
            return NotSeen(report);
        }

        var memory = MemoryThreshold.Of(report.Timeline.Target);
        return told.IsEmpty && memory.MayBeHigh(report.Timeline.Process?.MemoryLoad, report.Timeline.Target.Processors.Value)
            ? new FindingRuleAnswer.Undecided(
                MissingKind.MemoryLoad, "the memory load is not known, and high memory use may be the cause instead (TPW008)")
            : new FindingRuleAnswer.Found(Find(report, told.IsEmpty ? side : told));
    }

    // The answer if stacks were taken: a finding if they show task waits and the gate thread added threads for starvation; else clear.
    FindingRuleAnswer BySampled(PoolEvidence report) =>
        report.MainBlocker(BlockKind.Task) is null || StarvationInjections.WhileItemsWaited(report) is not { IsEmpty: false } injections
            ? new FindingRuleAnswer.Clear()
            : new FindingRuleAnswer.Found(Find(report, injections));

    FindingRuleAnswer NotSeen(PoolEvidence report)
    {
        var eaten = Eaten(report);
        return MissingEvidence.Events(report, "an adjustment for task waits") is { } lost
            ? new FindingRuleAnswer.Undecided(lost)
            : eaten >= WorthAsking && report.WereStacksTaken ? BySampled(report)
            : eaten >= WorthAsking
                ? new FindingRuleAnswer.Undecided(
                    MissingKind.Stacks, $"without stacks, tpwatch cannot tell whether some threads (at most {eaten}) wait for tasks",
                    Hints.OrFindOut(report))
                : new FindingRuleAnswer.Clear();
    }

    // Number of threads added for starvation since the last adjustment for task waits; without such an adjustment, all above MinThreads.
    static int Eaten(PoolEvidence report)
    {
        var injections = StarvationInjections.WhileItemsWaited(report);
        var counted = report.InjectionDelays.LastOrDefault(g => g.Reason == AdjustmentReason.CooperativeBlocking);
        return injections.IsEmpty ? 0
            : counted is null ? injections.Max(g => g.TargetThreadsAfter ?? 0) - Min(report)
            : injections.Count(g => g.End > counted.End);
    }

    Finding Find(PoolEvidence report, ImmutableArray<InjectionDelay> eaten)
    {
        var rises = report.InjectionDelays.Where(g => g.IsCompensation).ToArray();
        return new(
            Id, Title, eaten.Length > 1 ? Severity.Serious : Severity.Warning,
            MemoryThreshold.Of(report.Timeline.Target)
                .IsHigh(report.Timeline.Process?.MemoryLoad, report.Timeline.Target.Processors.Value) == false
                ? Confidence.High
                : Confidence.Medium, eaten[0].Start ?? eaten[0].End, eaten[^1].End,
            "Worker threads wait for tasks, and also block in calls that the pool cannot detect. "
                + $"The pool added {Format.Plural(eaten.Length, "thread")} for those calls. Therefore, up to "
                + $"{Format.Plural(Unhelped(report, eaten), "task wait")} may have got no extra thread.",
            [
                new("Threads added because of starvation while threads waited for tasks", eaten.Length, "threads", "event 55"),
                new("The target thread count was raised for task waits", rises.Length, "times", "event 55"),
                new("Highest target thread count", eaten.Max(g => g.TargetThreadsAfter), "workers", "event 55"),
                new("Target thread count up to which task waits normally get threads without delay", Free(report), "workers", "settings"),
                new("Threads blocked by something other than a task: at least", Min(report), "workers", "the pool's rules")
                    { GoesOn = true },
                .. DeepEvidence.Stacks(report),
            ],
            [
                DeepEvidence.Mend(
                    report, report.MainBlocker(BlockKind.Lock, BlockKind.Wait, BlockKind.Sleep, BlockKind.Io, BlockKind.Native,
                        BlockKind.Unseen),
                    "Find what else blocks worker threads (lock, semaphore, sleep, synchronous I/O), and make it asynchronous. "
                        + "Then task waits get extra threads again.", Hints.NamedBy(report)),
                new("Await the tasks instead of blocking on them."),
                MinThreadsRemedy.Of(report),
            ]);
    }

    // Upper bound of the task waits without an extra thread: the number of injections, or of task waits on stacks if that is smaller.
    static int Unhelped(PoolEvidence report, ImmutableArray<InjectionDelay> eaten) =>
        (report.Blockers ?? []).Where(b => b.Kind == BlockKind.Task).Sum(b => b.Threads) is > 0 and var seen
            ? Math.Min(eaten.Length, seen) : eaten.Length;

    static int Min(PoolEvidence report) => report.Timeline.Target.MinWorkers.Value ?? report.Timeline.Target.Processors.Value ?? 1;

    static int Free(PoolEvidence report) => Min(report) + (report.Timeline.Target.Processors.Value ?? 1);
}
