using Tpwatch.Reports;

namespace Tpwatch.Wording;

/// <summary>Builds a report's headline: whether the pool is the problem, since when, how bad, whether it is over, and what to do.</summary>
static class HeadlineWords
{
    /// <summary>Default interval of counter samples, milliseconds.</summary>
    const double SampleMs = 1000;

    public static string Of(PoolEvidence report, ImmutableArray<Finding> findings, HeadlineFacts facts, bool byKey) => report.Verdict switch
    {
        Verdict.Starved when WaitsForTasks(report) =>
            $"The thread pool {HasBeen(report)} starved{Since(report)}. "
                + $"Worker threads {(report.IsNow ? "wait" : "waited")} for tasks, and the pool {(report.IsNow ? "adds" : "added")} "
                + $"threads for them too slowly.{Longest(report)}{Queue(report)} {ToDo(findings, byKey)}",
        Verdict.Starved => $"The thread pool {HasBeen(report)} starved{Since(report)}. "
            + $"Work items waited while every worker thread was busy.{Injections(report, facts)}{Queue(report)} {ToDo(findings, byKey)}",
        Verdict.StarvedAtMax => $"The thread pool {HasBeen(report)} starved{Since(report)}. Every worker thread {Was(report)} "
            + $"busy, and {Max(report)}.{Queue(report)} {ToDo(findings, byKey)}",
        Verdict.Wedged => $"The thread pool {HasBeen(report)} wedged{Since(report)}. "
            + $"{Stuck(report)}{Queue(report)} {ToDo(findings, byKey)}",
        Verdict.Held => $"Work {(report.IsNow ? "has been hanging" : "hung")}{Since(report)}. "
            + $"{Hanging(report)}; the queue {Was(report)} empty. {ToDo(findings, byKey)}",
        Verdict.SilentlyStarved when PoolSwitch.On(report.Timeline.Target, PoolSwitch.DetectorDisabled) is not null =>
            $"The thread pool {HasBeen(report)} starved{Since(report)}. The runtime's starvation detection is switched off."
            + $"{Longest(report)}{Queue(report)} {ToDo(findings, byKey)}",
        Verdict.SilentlyStarved => $"The thread pool {HasBeen(report)} starved{Since(report)}. "
            + $"The runtime {(report.IsNow ? "does" : "did")} not detect {(AddedSome(report) ? "most of " : "")}the starvation, "
            + $"so the pool {(report.IsNow ? "adds" : "added")} {(AddedSome(report) ? "hardly any" : "no")} thread."
            + $"{Longest(report)}{Queue(report)} {ToDo(findings, byKey)}",
        Verdict.Saturated => $"Work {(report.IsNow ? "has waited" : "waited")} for processors{Since(report)}. "
            + "A lack of worker threads is not the cause. More threads would not help. Find what uses the processors, or add processors.",
        Verdict.Compensated when EndlessGrowth.Of(report) is { } grows =>
            "Worker threads wait for tasks (sync over async). The pool adds threads for them without an end in sight: from "
                + $"{Format.Count(grows.From)} to {Format.Count(grows.To)} in {Format.Duration(grows.Ms)}. "
                + $"The items that wait{Where(report)} do not end, or end more slowly than new ones begin. "
                + "Find out what the tasks wait for.",
        Verdict.Compensated => $"Worker threads wait for tasks (sync over async). The pool adds threads for them{KeepsUp(report)}. "
            + $"Await instead of blocking{Where(report)}, before the pool can no longer keep up.",
        Verdict.Healthy => Healthy(report, findings, facts, byKey),
        Verdict.NotThePool =>
            $"The thread pool is not the problem. {StandstillWords.Of(report.Timeline)}. {ToDo(findings, byKey)}",
        _ => $"Undecided: {facts.Lack!.Words(byKey)}.",
    };

    static bool AddedSome(PoolEvidence report) => report.Adjustments.ContainsKey(AdjustmentReason.Starvation);

    static string Where(PoolEvidence report) =>
        report.MainBlocker(BlockKind.Task) is { } main ? $" ({main.Chain})" : "";

    static string Was(PoolEvidence report) => report.IsNow ? "is" : "was";

    // Uses the present perfect for a condition that continues.
    static string HasBeen(PoolEvidence report) => report.IsNow ? "has been" : "was";

    static string Stuck(PoolEvidence report) => report.IsNow
        ? "Work items wait, no worker thread takes one, and the pool adds none."
        : "Work items waited, no worker thread dequeued one, and the pool added no thread.";

    static string Hanging(PoolEvidence report)
    {
        if (report is { IsNow: true, Bursts.Unending: { } items })
        {
            return $"{Format.Plural(items.Threads, "worker thread")} {(items.Threads == 1 ? "runs an item" : "run items")} that "
                + $"{(items.Threads == 1 ? "does" : "do")} not complete"
                + (report.Compensations > 0 ? ", and the pool adds threads for waits on tasks" : "");
        }

        var (threads, one) = (Format.Plural(report.MaxWorkers ?? 0, "worker thread"), report.MaxWorkers == 1);
        return report.IsNow ? $"{threads} {(one ? "is busy and completes" : "are busy and complete")} no item"
            : $"{threads} {(one ? "was" : "were")} busy and completed no item";
    }

    /// <summary>
    /// Returns the time range of the verdict in words: the start of the first episode and, if the trouble is over, the end of the last one.
    /// Times are in UTC, so that a user can compare them with the service's own log.
    /// </summary>
    static string Since(PoolEvidence report)
    {
        var told = report.Episodes.Where(e => e.Kind == report.Verdict).ToArray();
        var from = Format.Utc(report.Timeline.UtcOf(told[0].Span.From));
        var length = VerdictWords.Sum(told);
        return report.IsNow
            ? ProblemOnset.IsSeen(report, told[0].Span.From) ? $" since {from} ({length})" : $" since {from} or before ({length} seen)"
            : told.Length == 1
                ? $" for {length} from {from}. The problem is over now"
                : $" from {from} to {Format.Utc(report.Timeline.UtcOf(told[^1].Span.To))} ({length}). The problem is over now";
    }

    // Says that MaxThreads is reached. If its value is unknown, tpwatch infers that from missing injections and says "probably".
    static string Max(PoolEvidence report) => report.Timeline.Target.MaxWorkers.Value is { } max
        ? $"MaxThreads ({Format.Count(max)}) allows no more"
        : $"MaxThreads {Was(report)} probably reached"
            + (report.Timeline.Levels.Workers is { } workers ? $" ({Format.Plural(workers, "thread")})" : "");

    static string NotSeen(PoolEvidence report) =>
        " The queue length does not show how many sockets are ready: one item stands for all of them."
            + (report.WereStacksTaken ? "" : " If requests hang, take stacks.");

    static string Healthy(PoolEvidence report, ImmutableArray<Finding> findings, HeadlineFacts facts, bool byKey)
    {
        var samples = report.Timeline.CounterSamples;
        var noLongWait = $"In {Seen(report)}, tpwatch saw no work item wait a second or more.";
        return samples.All(b => b.Completed is null or 0) && report.MaxQueueLength is null or 0
            ? Stay(report, findings) ?? HadNothing(report) + Elsewhere(report, findings, byKey)
            : (samples.Count(b => b.QueueLength > 0) * 2 > samples.Length
                    ? $"{noLongWait} But the queue was seldom empty: items wait a shorter time."
                    : $"The thread pool is not the problem. {noLongWait}")
                + (facts.MayHideRequests ? NotSeen(report) : "") + Elsewhere(report, findings, byKey);
    }

    // Returns the text about threads that may hang according to stacks, else null. Events alone prove a hang only of many threads.
    static string? Stay(PoolEvidence report, ImmutableArray<Finding> findings) =>
        report.Blockers is not [{ Kind: not BlockKind.Cpu, IsParked: false } first, ..]
        || LeadingFinding.Outside(findings) is not null || LeadingFinding.Deadlock(findings) is not null ? null
        : $"No work item completed and none waited in {Seen(report)}. But {Format.Plural(first.Threads, "worker thread")} "
            + $"{(first.Threads == 1 ? "was" : "were")} in {first.Chain}. "
            + (first.Threads == 1 ? "If it stays there, its work item hangs." : "If they stay there, their work items hang.");

    // Says that no item completed. But if the pool created a thread, this thread may have completed an item between counter samples.
    static string HadNothing(PoolEvidence report) => report.InjectionDelays.Any(g => g.Mechanism == Mechanism.G0Ramp)
        ? $"tpwatch saw no work item wait in {Seen(report)}. The pool created threads for items, and the counter samples do not "
            + "show whether these items completed."
        : report.Inside?.Limits is { Working: > 0 and var working }
            ? $"No work item completed and none waited in {Seen(report)}. "
                + $"{Format.Plural(working, "worker thread")} "
                + (working == 1 ? "holds an item that has not ended." : "hold items that have not ended.")
        : $"The thread pool had nothing to do: no item completed and none waited in {Seen(report)}.";

    // Returns what to examine next. Users run tpwatch when a program is slow or hangs, so a healthy pool does not end their search.
    static string Elsewhere(PoolEvidence report, ImmutableArray<Finding> findings, bool byKey) =>
        LeadingFinding.Deadlock(findings) is { } deadlock ? $" But {deadlock.Headline} {Told(deadlock, byKey)}"
        : LeadingFinding.Elsewhere(findings) is { } slow ? $" Requests are slow anyway. {slow.Headline} {Told(slow, byKey)}"
        : LeadingFinding.Outside(findings) is { } blocked
            ? $" {blocked.Headline}" + (blocked.Severity == Severity.Note ? $" {Told(blocked, byKey)}" : "")
        : report.WereStacksTaken
            ? " If the program is slow, look at what it awaits: stacks do not show that."
        : $" If the program is slow or hangs, {Hints.ToStacks(report).Words(byKey)}.";

    /// <summary>Whether the pool added threads for task waits, and the gate thread added none for starvation.</summary>
    public static bool WaitsForTasks(PoolEvidence report) =>
        report.Adjustments.ContainsKey(AdjustmentReason.CooperativeBlocking)
        && !report.Adjustments.ContainsKey(AdjustmentReason.Starvation);

    static string Injections(PoolEvidence report, HeadlineFacts facts)
    {
        var count = report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation);
        return facts.HasNotGrown
            ? $" The pool did not grow beyond {Format.Plural(report.MaxWorkers ?? 0, "thread")}."
            : $" The pool added {Format.Plural(count, "thread")}{(count > 1 ? ", one at a time" : "")}.";
    }

    static string Queue(PoolEvidence report) =>
        report.MaxQueueLength is > 0 and { } most ? $" Up to {Format.Plural(most, "item")} {(most == 1 ? "was" : "were")} queued." : "";

    static string Longest(PoolEvidence report) => $" An item waited at least {Format.Duration(report.Episodes.Max(e => e.ProvenWaitMs))}.";

    /// <summary>Returns the first remedy of the finding that explains the verdict; if there is none, a general remedy.</summary>
    static string ToDo(ImmutableArray<Finding> findings, bool byKey) =>
        LeadingFinding.Of(findings) is { } leading ? Told(leading, byKey)
            : "Find the call that blocks the worker threads, and replace it with an asynchronous one.";

    static string Told(Finding finding, bool byKey) => byKey ? finding.Remedies[0].ByKey : finding.Remedies[0].Text;

    static string KeepsUp(PoolEvidence report) =>
        report.Timeline.CounterSamples.Length < 2 || report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true }
            ? "; it is not known whether they are enough"
            : " and keeps up";

    static string Seen(PoolEvidence report) => Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start));

    // Whether the event stream broke off. If so, missing counter samples say nothing about the process.
    static bool IsCutOff(PoolEvidence report) => report.End is SessionEnd.RecordingBroken or SessionEnd.StreamBroken;

    static UndecidedReason? Mute(PoolEvidence report) =>
        !NoPoolEvents.Is(report.Timeline) ? null
            : NoPoolEvents.Setting(report.Timeline) is { } set
                ? new("the pool sent no event", $". The program has {set.Name}={set.Value}{InCall(report)}",
                    SeeStacks(report).In(". To see the events, build the program with EventSourceSupport=true and restart it"))
            : MayYetCome(report) && InCall(report) is "" ? new("the process has sent no event yet", $". If none comes, it {WhyUndetected}")
            : new("the pool sent no event", $". The program {WhyUndetected}{InCall(report)}", SeeStacks(report));

    // Returns how to take stacks, which are available without the pool's events; empty if stacks were taken.
    static MissingDataHint SeeStacks(PoolEvidence report) => report.WereStacksTaken ? MissingDataHint.None
        : Hints.ToStacks(report).In(". To see what the threads do now, ");

    const string WhyUndetected = "was probably built with EventSourceSupport=false, or waits at startup for another diagnostics tool";

    static bool MayYetCome(PoolEvidence report) => report is { End: SessionEnd.StillOpen, Timeline.Quality.Events: 0 };

    static UndecidedReason WithoutSamples(PoolEvidence report) =>
        NoPoolEvents.Setting(report.Timeline) is null && HasJustBegun(report)
            ? new("a verdict needs two counter samples", ", and they cannot have come yet")
        : (IsCutOff(report) ? null : Mute(report))
            ?? new($"no counter sample {(report.End == SessionEnd.StillOpen ? "has come yet" : "came")}",
                ", so queue length and completions are not known");

    // Whether it is too early for two counter samples, by the last event or by tpwatch's own clock if that is later.
    static bool HasJustBegun(PoolEvidence report) => report is { End: SessionEnd.StillOpen, Timeline: { Clock: { } clock } seen }
        && EventTime.Max(clock.At, seen.Now).MsSince(seen.Start)
            < 3 * (seen.ImposedIntervalMs ?? report.SampleIntervalMs ?? SampleMs);

    /// <summary>Returns why a verdict is undecided; <paramref name="borderMs"/> is the length of a borderline wait, null if none.</summary>
    public static UndecidedReason Missing(PoolEvidence report, bool seemsToWait, double? borderMs, bool mayHide) =>
        report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? new("events were lost")
        : report.Timeline.CounterSamples.Length < 2 ? WithoutSamples(report)
        : report.MayHang is { } workers && report.Timeline.CounterSamples.Length >= 2
            ? new("no item waits and none completes", $", so {Format.Plural(workers, "worker thread")} "
                + (workers == 1 ? "is idle, hangs or runs long" : "are idle, hang or run long")
                + (report.WereStacksTaken ? $". Watch {UntilIdleEnd}" : ""),
                report.WereStacksTaken ? null : Hints.ToStacks(report).In(". To find out, ", $". Or watch {UntilIdleEnd}"))
        : seemsToWait
            ? new("items seem to wait a second or more", ", but the counter samples cannot prove it" + InCall(report),
                report.Depth.HasFlag(CaptureDepth.Items) ? null : Hints.ToItems(report).In(". To measure the queue time of every item, "))
            { OfItemTimes = !report.Depth.HasFlag(CaptureDepth.Items) }
        : borderMs is { } wait ? AtTheBorder(report, wait)
        : mayHide ? Busy(report)
        : new("the capture is too short");

    const string UntilIdleEnd = "for 22 s: idle threads end in that time, others stay";

    static string InCall(PoolEvidence report) => report.MainBlocker() is { } main
        ? $". {Format.Percent(main.Share)} of the stack samples are in {BlockingPlaceWords.PlaceWithArticle(main)}" : "";

    static UndecidedReason AtTheBorder(PoolEvidence report, double waitMs) => new("borderline",
        $": waits of {Format.Duration(waitMs)}. The queue is never empty, and by its length items wait about that long. "
            + "From 1 s on it is starvation" + InCall(report) + ToSeeStacks(report));

    // Suggests stacks instead of a longer capture: every worker thread is known to be busy, and only stacks show why.
    static UndecidedReason Busy(PoolEvidence report) => new("every worker thread is busy",
        (report.MainBlocker() is { } main ? $", {Format.Percent(main.Share)} in {BlockingPlaceWords.PlaceWithArticle(main)}" : "")
            + ". Items are always queued and few complete, but no queue time of a second is proven" + ToSeeStacks(report));

    static string ToSeeStacks(PoolEvidence report) =>
        report.WereStacksTaken ? "" : $". Take stacks to see what keeps the threads busy: {Hints.TakeStacks(report)}";
}
