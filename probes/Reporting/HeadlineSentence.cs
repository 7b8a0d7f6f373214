using Tpwatch.Basics;
using Tpwatch.Findings.Clues;
using Tpwatch.Reports;

namespace Tpwatch.Reporting;

/// <summary>One headline in plain words: is it the pool, since when, how bad, is it over, what to do.</summary>
static class HeadlineSentence
{
    public static string Of(PoolReport report) => report.Verdict switch
    {
        Verdict.Starved when IsCompensated(report) =>
            $"The thread pool {Was(report)} behind{Since(report)}: workers wait for tasks, and it adds "
                + $"workers for them too slowly; an item waited at least {Format.Duration(report.Episodes.Max(e => e.ProvenWaitMs))}"
                + $"{Backlog(report)}. {ToDo(report)}",
        Verdict.Starved => $"The thread pool {Was(report)} starved{Since(report)}: work waited while every worker was held"
            + $"{Injections(report)}. {ToDo(report)}",
        Verdict.StarvedAtMax => $"The thread pool {Was(report)} starved{Since(report)} and {(report.IsNow ? "stands" : "stood")} "
            + $"at max{Max(report)}: every worker "
            + $"{(report.IsNow ? "is" : "was")} held, and no rule of the runtime adds another{Backlog(report)}. {ToDo(report)}",
        Verdict.Wedged => $"The thread pool {Was(report)} wedged{Since(report)}: items wait, nobody takes one, "
            + "and the runtime adds no worker though it may"
            + $"{Backlog(report)}. {ToDo(report)}",
        Verdict.Held => $"Work {(report.IsNow ? "hangs" : "hung")}{Since(report)}: {Format.Plural(report.MaxWorkers ?? 0, "worker")} "
            + $"{(report.IsNow ? "are" : "were")} held and none {(report.IsNow ? "ends" : "ended")} an item; "
            + $"nothing waits in the queue. {ToDo(report)}",
        Verdict.SilentlyStarved when PoolSwitch.On(report.Timeline.Target, PoolSwitch.DetectorDisabled) is not null =>
            $"The thread pool {Was(report)} starved{Since(report)}, and the runtime's starvation detection is switched off: "
            + $"an item waited at least {Format.Duration(report.Episodes.Max(e => e.ProvenWaitMs))}{Backlog(report)}. {ToDo(report)}",
        Verdict.SilentlyStarved => $"The thread pool {Was(report)} starved{Since(report)}, and the runtime's own detector does not see it: "
            + $"an item waited at least {Format.Duration(report.Episodes.Max(e => e.ProvenWaitMs))}{Backlog(report)}. {ToDo(report)}",
        Verdict.Saturated => $"Work {(report.IsNow ? "waits" : "waited")} for processors, not for workers{Since(report)}: they were busy. "
            + "More workers would not help; find what uses them, or add processors.",
        Verdict.Compensated => $"Workers wait for tasks (sync over async); the pool adds workers for them{KeepsUp(report)}. "
            + "Await instead of blocking, before it cannot any more.",
        Verdict.Healthy => Healthy(report),
        Verdict.NotThePool =>
            $"The thread pool is not the problem, the process itself did not run: {StandstillSentence.Of(report.Timeline)}. {ToDo(report)}",
        _ => $"Undecided: {Missing(report)}.",
    };

    static string Was(PoolReport report) => report.IsNow ? "is" : "was";

    /// <summary>From the first onset, which is what one lays beside a service's own log, to the end of the last.</summary>
    static string Since(PoolReport report)
    {
        var told = report.Episodes.Where(e => e.Kind == report.Verdict).ToArray();
        var from = Format.Utc(report.Timeline.UtcOf(told[0].Span.From));
        var length = Format.Duration(told.Sum(e => e.Span.Ms)) + (told.Length > 1 ? $" in {told.Length} episodes" : "");
        return report.IsNow
            ? $" since {from} ({length})"
            : told.Length == 1
                ? $" from {from} for {length}, over now"
                : $" from {from} to {Format.Utc(report.Timeline.UtcOf(told[^1].Span.To))} ({length}), over now";
    }

    static string Max(PoolReport report) => report.Timeline.Target.MaxWorkers.Value is { } max ? $" ({Format.Plural(max, "worker")})"
        : report.Timeline.Levels.Workers is { } workers ? $" ({Format.Plural(workers, "worker")}, set by a call)" : "";

    const string NotSeen =
        " Not seen: sockets that are ready beyond the one item that stands for them in the queue. Where requests hang, take stacks.";

    static string Healthy(PoolReport report)
    {
        var beats = report.Timeline.Heartbeats;
        return beats.All(b => b.Completed is null or 0) && report.MaxBacklog is null or 0
            ? $"The thread pool had nothing to do: no item completed and none waited in {Seen(report)}."
            : $"The thread pool is not the problem: nothing shows a wait of a second or more for a worker in {Seen(report)}."
                + (beats.Count(b => b.Backlog > 0) * 2 > beats.Length
                    ? " The queue was seldom empty, though: items wait, if not for long."
                    : "")
                + (HiddenBacklog.MayBe(report) ? NotSeen : "");
    }

    /// <summary>Workers come by cooperative steps alone, but too slowly; the gate adds none.</summary>
    static bool IsCompensated(PoolReport report) =>
        report.Adjustments.ContainsKey(AdjustmentReason.CooperativeBlocking)
        && !report.Adjustments.ContainsKey(AdjustmentReason.Starvation);

    static string Injections(PoolReport report)
    {
        var count = report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation);
        return $"; the gate added {Format.Plural(count, "worker")}{(count > 1 ? " one at a time" : "")}{Backlog(report)}";
    }

    static string Backlog(PoolReport report) =>
        report.MaxBacklog is > 0 and { } backlog ? $", up to {Format.Plural(backlog, "item")} in the queue" : "";

    /// <summary>The remedy for the finding that says why.</summary>
    static string ToDo(PoolReport report) =>
        LeadingFinding.Of(report)?.Remedies[0].Text ?? "Find what blocks the worker threads and make it asynchronous.";

    static string KeepsUp(PoolReport report) =>
        report.Timeline.Heartbeats.Length < 2 || report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true }
            ? "; whether that suffices cannot be said"
            : " and keeps up";

    static string Seen(PoolReport report) => Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start));

    static string Missing(PoolReport report) =>
        report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? "events were lost"
        : report.Timeline.Heartbeats.Length < 2 ? "no heartbeat came, so backlog and completions are not known"
        : report.MayHang is { } workers && report.Timeline.Heartbeats.Length >= 2
            ? $"nothing waits and nothing ends, and {Format.Plural(workers, "worker")} are idle or hang. Watch for 22 s, after which idle "
                + $"ones have ended, or take stacks: {Waits.TakeStacks(report)}"
        : ReportBuilder.WaitsUnproven(report.Timeline) ? "by backlog and completions items waited a second or more, but too few to prove it"
        : "the capture is too short";
}
