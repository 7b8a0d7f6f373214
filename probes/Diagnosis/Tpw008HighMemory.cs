using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Finds high memory use, which keeps the pool from adding threads for task waits, so that only starvation detection adds threads.
/// </summary>
sealed class Tpw008HighMemory : IFindingRule
{
    public string Id => "TPW008";
    public string Title => "Memory use counts as high: task waits get no extra threads";

    public FindingMeaning Text { get; } = new(
        "While memory use is high, the pool adds no thread for task waits.",
        "Only the gate thread (the pool's monitor) adds threads, one or two a second. The pool uses the memory load of the last full "
            + "garbage collection. By default, high means 72% or more of the machine's or container's memory. With 80 GB of memory or "
            + "more, the limit is a little higher.",
        "Threads added by the gate thread while threads wait for tasks. Also the memory load, or a setting that makes nearly any load "
            + "count as high.",
        "Await the tasks. Give the process more memory, or make it use less. Workaround: let the pool ignore memory use (.NET 7 and later: "
            + "System.Threading.ThreadPool.Blocking.IgnoreMemoryUsage), or set a larger MinThreads.",
        "The load at the last full garbage collection may differ from the load now. If no task wait was seen, the threads may block on "
            + "something else.");

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.HighMemory, AreTaskWaitsSeen(report)
            ? "worker threads blocked on tasks, and no thread added for them while memory is high"
            : "no extra threads for task waits while memory is high");

    static bool AreTaskWaitsSeen(PoolEvidence report) =>
        !StarvationInjections.DuringTaskWaits(report).IsEmpty || report.MainBlocker(BlockKind.Task) is not null
        || report.InjectionDelays.Any(g => g is { Mechanism: Mechanism.G6MemoryVeto, Verdict: not DelayVerdict.Open });

    static string Added(PoolEvidence report) => AreTaskWaitsSeen(report)
        ? "Threads added because of starvation while threads waited for tasks"
        : "Threads added because of starvation while memory use was high";

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var injections = StarvationInjections.WhileItemsWaited(report);
        var told = report.InjectionDelays.Where(g => g
            is { Mechanism: Mechanism.G6MemoryVeto, Verdict: not DelayVerdict.Open }).ToImmutableArray();
        if (injections.IsEmpty && told.IsEmpty)
        {
            return MissingEvidence.ClearUnless(MissingEvidence.Events(report, "a thread injection"));
        }

        var threshold = MemoryThreshold.Of(report.Timeline.Target);
        var side = !StarvationInjections.DuringTaskWaits(report).IsEmpty;
        var (load, processors) = (report.Timeline.Process?.MemoryLoad, report.Timeline.Target.Processors.Value);
        var high = threshold.IsHigh(load, processors);
        return !told.IsEmpty ? new FindingRuleAnswer.Found(Find(report, told, threshold))
            : high == false || StarvationInjections.RisesAfterFirst(report) > 0 ? new FindingRuleAnswer.Clear()
            : high == true && (side || threshold.IsNearlyAlways) ? new FindingRuleAnswer.Found(Find(report, injections, threshold))
            : report.WereStacksTaken && report.MainBlocker(BlockKind.Task) is null ? new FindingRuleAnswer.Clear()
            : side || threshold.MayBeHigh(load, processors) ? new FindingRuleAnswer.Undecided(NotKnown(report, threshold))
            : new FindingRuleAnswer.Clear();
    }

    static MissingData NotKnown(PoolEvidence report, MemoryThreshold threshold) =>
        report.Timeline.Process?.MemoryLoad is { } load && !report.WereStacksTaken
        ? new(MissingKind.Stacks, $"no stacks were taken (--depth stacks). {Format.Percent(load)} of the memory is in use, and from "
            + $"{Share(threshold)} on, task waits get no extra thread")
        : new(MissingKind.MemoryLoad, "the memory load at the last full garbage collection is not known. "
            + $"From {Share(threshold)} on, task waits get no extra thread");

    // The limit in words; a limit below one percent must not be rounded up to one percent.
    static string Share(MemoryThreshold threshold) => Format.FinePercent(threshold.PoolHighPercent / 100);

    Finding Find(PoolEvidence report, ImmutableArray<InjectionDelay> injections, MemoryThreshold threshold) => new(
        Id, Title, Severity.Warning, StarvationInjections.DuringTaskWaits(report).IsEmpty ? Confidence.Low : Confidence.Medium,
        injections[0].Start ?? injections[0].End, injections[^1].End,
        $"While more than {Share(threshold)} of the machine's or container's memory is in use, task waits get no extra thread. "
            + $"Only the gate thread (the pool's monitor) added threads, {Format.Count(injections.Length)} in all.",
        [
            new(Added(report), injections.Length, "threads", "event 55"),
            new("Raises of the target thread count for task waits since then",
                StarvationInjections.RisesAfterFirst(report), "", "event 55"),
            new("Memory in use when last read",
                report.WereStacksTaken ? null : report.Timeline.Process?.MemoryLoad * 100, "%", "control group or machine"),
            new("Memory use that the garbage collector treats as high", threshold.Setting is null ? null : threshold.HighPercent, "%",
                $"{threshold.Setting?.Name}={threshold.Setting?.Value}"),
            new("Memory use above which task waits get no extra thread", threshold.PoolHighPercent, "%", "the pool's rules"),
        ],
        [
            new("Await the tasks instead of blocking on them: then the pool needs no extra threads."),
            threshold.Setting is not { } setting
                ? new("Give the process (or its container) more memory, or find what fills it. "
                    + "GC.GetGCMemoryInfo in the program shows the memory load at the last garbage collection.")
                : new($"Go back to the default limit for high memory use, {MemoryThreshold.DefaultHighPercent}% (now "
                    + $"{threshold.HighPercent}%)", $"remove {setting.Name}") { Removes = true },
            new("Let the pool ignore memory use when it adds threads for task waits (.NET 7 and later)",
                "\"System.Threading.ThreadPool.Blocking.IgnoreMemoryUsage\": true in runtimeconfig.json"),
        ]);
}
