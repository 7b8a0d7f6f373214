using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Findings.Clues;
using Tpwatch.Findings.Remedies;
using Tpwatch.Model;
using Tpwatch.Reports;

namespace Tpwatch.Findings;

/// <summary>Blocking that the pool cannot see has raised the goal, and that is taken off the compensation for task waits.</summary>
sealed class Tpw007MixedBlocking : IFinder
{
    /// <summary>
    /// So many task waits without a worker of their own would hardly be felt: the free budget is as large as the processors.
    /// </summary>
    const int WorthAsking = 3;

    public string Id => "TPW007";

    public string Title => "Mixed blocking: the compensation for task waits is used up";

    public FindingMeaning Text { get; } = new(
        "The pool compensates for task waits up to MinThreads plus the threads that wait for tasks. It compares that with the target "
            + "thread count. A thread added for a lock, a sleep or synchronous I/O has raised that target already. So each of them costs "
            + "one task wait its compensation.",
        "Thread count adjustments with both reasons, CooperativeBlocking and Starvation, while task waits go on. Task waits without "
            + "compensation show in stacks only.",
        "Fix the blocking that the pool cannot detect first: then task waits are compensated again. Await the tasks. Workaround: a "
            + "larger MinThreads.",
        "High memory use (TPW008) stops the compensation in the same way. Where the memory load is not known, the confidence is medium.");

    public FindingCause Cause(PoolReport report) =>
        new(CauseKind.BothBlockings, "worker threads blocked on tasks, and in calls that the pool cannot detect") { OfHeldThreads = true };

    public FinderAnswer Look(PoolReport report)
    {
        var beside = StandingCompensation.InjectionsBeside(report).Where(g => g.GoalBefore > Free(report)).ToImmutableArray();
        var told = report.Gaps.Where(g => g is { Mechanism: Mechanism.G7Debt, Verdict: not GapVerdict.Open }).ToImmutableArray();
        if (told.IsEmpty && beside.IsEmpty)
        {
            return NotSeen(report);
        }

        return told.IsEmpty && (MemoryThreshold.IsHigh(report.Timeline.Target, report.Timeline.Process?.MemoryLoad)
            ?? MemoryThreshold.Of(report.Timeline.Target) is not null)
            ? new FinderAnswer.Undecided("the memory load at the last full collection: it may be what stops the compensation (TPW008)")
            : new FinderAnswer.Found(Find(report, told.IsEmpty ? beside : told));
    }

    // Stacks show both kinds side by side, or that there is only one.
    FinderAnswer BySampled(PoolReport report) =>
        DeepEvidence.Main(report, BlockKind.Task) is null || StandingCompensation.Injections(report) is not { IsEmpty: false } injections
            ? new FinderAnswer.Clear()
            : new FinderAnswer.Found(Find(report, injections));

    FinderAnswer NotSeen(PoolReport report)
    {
        var eaten = Eaten(report);
        return report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true }
            ? new FinderAnswer.Undecided("events were lost; an adjustment for task waits may be among them")
            : eaten >= WorthAsking && Waits.WereStacksTaken(report)
                ? BySampled(report)
            : eaten >= WorthAsking
                ? new FinderAnswer.Undecided($"stacks (--depth stacks): up to {eaten} threads may wait for tasks "
                    + "without compensation")
                : new FinderAnswer.Clear();
    }

    // What the gate has added since the pool last counted its task waits; where it never did, all above min.
    static int Eaten(PoolReport report)
    {
        var injections = StandingCompensation.Injections(report);
        var counted = report.Gaps.LastOrDefault(g => g.Reason == AdjustmentReason.CooperativeBlocking);
        return injections.IsEmpty ? 0
            : counted is null ? injections.Max(g => g.GoalAfter ?? 0) - Min(report)
            : injections.Count(g => g.End > counted.End);
    }

    Finding Find(PoolReport report, ImmutableArray<Gap> eaten)
    {
        var rises = report.Gaps.Where(g => g.Reason == AdjustmentReason.CooperativeBlocking && g.GoalAfter > g.GoalBefore).ToArray();
        return new(
            Id, Title, eaten.Length > 1 ? Severity.Serious : Severity.Warning,
            MemoryThreshold.IsHigh(report.Timeline.Target, report.Timeline.Process?.MemoryLoad) == false
                ? Confidence.High
                : Confidence.Medium, eaten[0].Start ?? eaten[0].End, eaten[^1].End,
            "Undetected blocking uses up the compensation for task waits. "
                + $"The gate thread added {Format.Plural(eaten.Length, "thread")}; as many task waits get none.",
            [
                new("Thread injections for starvation while task waits went on", eaten.Length, "injections", "event 55"),
                new("Thread injections for task waits, before and between", rises.Length, "adjustments", "event 55"),
                new("Highest target thread count among them", eaten.Max(g => g.GoalAfter), "workers", "event 55"),
                new("Thread count up to which task waits are compensated at once", Free(report), "workers", "settings"),
                new("Threads held by something other than a task wait, at least", Min(report), "workers", "rule of the pool"),
                .. DeepEvidence.Stacks(report),
            ],
            [
                DeepEvidence.Mend(
                    report, DeepEvidence.Main(report, BlockKind.Lock, BlockKind.Wait, BlockKind.Sleep, BlockKind.Io, BlockKind.Native),
                    "Find what else blocks worker threads (locks, semaphores, sleeps, synchronous I/O) and await it: "
                        + "that frees the compensation." + Waits.NamedBy(report)),
                new("Await the tasks instead of blocking on them."),
                MinThreadsRemedy.Of(report),
            ]);
    }

    static int Min(PoolReport report) => report.Timeline.Target.MinWorkers.Value ?? report.Timeline.Target.Processors.Value ?? 1;

    static int Free(PoolReport report) => Min(report) + (report.Timeline.Target.Processors.Value ?? 1);
}
