using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>Finds worker threads that wait for tasks. The pool detects task waits and adds threads in steps.</summary>
sealed class Tpw002SyncOverAsync : IFindingRule
{
    /// <summary>Number of raises for task waits from which the finding is a warning. Every program has a few at startup.</summary>
    const int WorthWarning = 3;

    /// <summary>
    /// Maximum ratio of starvation injections to raises for task waits. Above this ratio, the task waits are not the cause of starvation.
    /// </summary>
    const int MuchMore = 3;

    static readonly Remedy NotUrgent = new(
        "Not urgent while no item waits: the pool adds threads for these waits. With more load the pool may no longer keep up.");

    static readonly Remedy EndNotSeen = new(
        "It is not known whether these items end: fewer items completed than the pool added threads. "
            + "To find out, watch longer (--duration).");

    static readonly Remedy Urgent = new(
        "Act now: each added thread uses memory, and the number of threads grows until items wait or memory is short. "
            + "Find out what the tasks wait for, and set a timeout.");

    static readonly Remedy AfterTheHang = new("While the threads hang, first find out what the threads wait for (TPW018).");

    public string Id => "TPW002";
    public string Title => "Sync over async: worker threads blocked on tasks";

    public FindingMeaning Text { get; } = new(
        "Task.Wait, .Result and GetAwaiter().GetResult() block a worker thread until a task completes.",
        "Since .NET 6 the pool detects such calls and adds threads to compensate. Up to MinThreads plus the number of processors, the pool "
            + "adds threads at once. The pool adds further threads one at a time, each after 25 to 250 ms. The added threads hide the "
            + "problem until items arrive faster than the pool adds threads.",
        "Thread count adjustments with the reason CooperativeBlocking.",
        "Await the tasks instead, and make every caller up the chain asynchronous. Workaround: a larger MinThreads.",
        "Many programs block on a few tasks while they start. tpwatch reports such waits as a note only.");

    // The remedy while no item waits, because the pool adds enough threads for task waits: urgent only if the growth does not end.
    static Remedy WhilePoolAdds(PoolEvidence report, InjectionDelay[] rises) => EndlessGrowth.Of(report) is not null ? Urgent
        : AreEnding(report, rises) ? NotUrgent : EndNotSeen;

    static bool AreEnding(PoolEvidence report, InjectionDelay[] rises) => rises is not [var first, ..]
        || report.Timeline.CounterSamples.Where(b => b.At > (first.Start ?? first.End)).Sum(b => b.Completed ?? 0)
            >= rises.Sum(g => (g.TargetThreadsAfter - g.TargetThreadsBefore) ?? 1);

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.TaskWaits, $"worker threads blocked on tasks (.Result, Wait){InTime(report)}") { OfHeldThreads = true };

    // An adjustment without a known previous target thread count may be one more raise, so the number of raises is a lower bound.
    static bool MayBeMore(PoolEvidence report) => report.InjectionDelays.Any(g =>
        g is { Reason: AdjustmentReason.CooperativeBlocking, TargetThreadsBefore: null, TargetThreadsAfter: not null });

    static string Probably(PoolEvidence report) => report.Timeline.Target.MaxWorkers.Value is null ? ", probably" : "";

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var rises = report.InjectionDelays.Where(g => g.IsCompensation).ToArray();
        var task = report.MainBlocker(BlockKind.Task);
        if (rises.Length == 0 && task is null)
        {
            return MissingEvidence.ClearUnless(
                MissingEvidence.Events(report, "an adjustment for task waits"),
                MayBeMore(report)
                    ? new(MissingKind.Beginning,
                        "the target before the first adjustment is not known, so it may not have been raised for task waits") : null);
        }

        var starving = report.Verdict.IsWait();
        var endless = EndlessGrowth.Of(report);
        var adds = endless is { } grows
                ? $" The pool added threads for these task waits, from {Format.Count(grows.From)} to {Format.Count(grows.To)} in "
                    + $"{Format.Duration(grows.Ms)}, with no end in sight."
            : !starving ? " The pool raised its target thread count for these task waits."
            : report.Verdict == Verdict.StarvedAtMax ? $" The pool added threads for these task waits{Probably(report)} up to MaxThreads."
            : Grown(report) < WorthWarning ? $" The pool raised its target thread count for these task waits "
                + $"{Format.Times(rises.Length)}."
            : " The pool adds one thread every 25 to 250 ms.";
        return new FindingRuleAnswer.Found(new(
            Id, Title,
            endless is not null || (starving && !IsBeside(report, rises, task)) ? Severity.Serious
                : rises.Length >= WorthWarning ? Severity.Warning : Severity.Note,
            Confidence.High,
            rises is [var first, ..] ? first.Start ?? first.End : report.Since ?? report.Timeline.Start,
            rises is [.., var last] ? last.End : report.Timeline.Now,
            task is null
                ? $"Worker threads block on tasks (Task.Wait, .Result, GetAwaiter().GetResult()).{adds}"
                : $"Worker threads block on tasks: {Format.Percent(task.Share)} of the {DeepEvidence.Sampled(report)} are in "
                    + $"{BlockingPlaceWords.PlaceWithArticle(task)}."
                    + (rises.Length > 0 ? adds : ""),
            [
                new("The target thread count was raised for task waits" + (MayBeMore(report) ? ": at least" : ""),
                    rises.Length > 0 ? rises.Length : null, "times", "event 55") { GoesOn = MayBeMore(report) },
                new("Highest target thread count after these raises", rises.Select(g => g.TargetThreadsAfter).Max(), "workers", "event 55"),
                new("Longest queue", report.MaxQueueLength, "items", "heartbeat"),
                .. DeepEvidence.Stacks(report, BlockKind.Task), InsideEvidence.ForQueue(report), .. DeepEvidence.Delay(report),
                .. InsideEvidence.Queue(report),
            ],
            [
                DeepEvidence.Mend(report, task, "Await the tasks instead of blocking on them, and make every caller up the chain async."),
                .. SwitchCompensationOn(report),
                starving ? MinThreadsRemedy.Of(report) : report.Verdict == Verdict.Held ? AfterTheHang : WhilePoolAdds(report, rises),
            ]));
    }

    /// <summary>The remedy when a setting switches blocking compensation off; empty otherwise.</summary>
    public static Remedy[] SwitchCompensationOn(PoolEvidence report) =>
        PoolSwitch.CompensationOff(report.Timeline.Target) is not { } off ? []
        : [new("A setting keeps the pool from adding threads while worker threads wait for tasks", $"remove {off.Name}")];

    // Number of raises for task waits above every earlier target thread count; a lower raise only reactivates existing threads.
    static int Grown(PoolEvidence report)
    {
        var (highest, grown) = (0, 0);
        foreach (var delay in report.InjectionDelays)
        {
            highest = Math.Max(highest, delay.TargetThreadsBefore ?? 0);
            grown += delay.Reason == AdjustmentReason.CooperativeBlocking && delay.TargetThreadsAfter > highest ? 1 : 0;
            highest = Math.Max(highest, delay.TargetThreadsAfter ?? 0);
        }

        return grown;
    }

    // Whether task waits are not the main cause: a few raises for task waits, many more starvation injections, and no stacks of task waits.
    static bool IsBeside(PoolEvidence report, InjectionDelay[] rises, Blocker? task) => task is null && rises.Length < WorthWarning
        && StarvationInjections.WhileItemsWaited(report).Length > MuchMore * rises.Length;

    static string InTime(PoolEvidence report) => EndlessGrowth.Of(report) is { } grows ? CauseWords.Growth(grows)
        : report.Verdict == Verdict.Compensated ? ", and the pool kept up" : "";
}
