namespace Tpwatch.Explain;

/// <summary>One headline in plain words: is it the pool, since when, how bad, is it over, what to do.</summary>
static class HeadlineSentence
{
    public static string Of(PoolReport report) => report.Verdict switch
    {
        Verdict.Starved => $"The thread pool {Was(report)} starved{Since(report)}: work waited while every worker was blocked"
            + $"{Injections(report)}. {ToDo(report)}",
        Verdict.SilentlyStarved => $"The thread pool {Was(report)} starved{Since(report)}, and the runtime's own detector does not see it: "
            + $"an item waited at least {Format.Duration(LongestWait(report))}{Backlog(report)}. {ToDo(report)}",
        Verdict.Saturated => $"Work {(report.IsNow ? "waits" : "waited")} for processors, not for workers{Since(report)}: they were busy. "
            + "More workers would not help; find what uses them, or add processors.",
        Verdict.Compensated => "Workers wait for tasks (sync over async); the pool adds workers for them and keeps up. "
            + "Await instead of blocking, before it does not.",
        Verdict.Healthy => $"The thread pool is not the problem: nothing waited for a worker for a second or more in {Seen(report)}.",
        Verdict.NotThePool => "The delay has another cause than the thread pool.",
        _ => $"Undecided: {Missing(report)}.",
    };

    static string Was(PoolReport report) => report.IsNow ? "is" : "was";

    static string Since(PoolReport report)
    {
        if (report.Since is not { } since)
        {
            return "";
        }

        var utc = Format.Utc(report.Timeline.UtcOf(since));
        var length = Format.Duration(report.StarvedMs);
        return report.IsNow ? $" since {utc} ({length})" : $" from {utc} for {length}, over now";
    }

    static string Injections(PoolReport report)
    {
        var count = report.Adjustments.GetValueOrDefault(Events.Facts.AdjustmentReason.Starvation);
        return $"; the gate added {Format.Plural(count, "worker")}{(count > 1 ? " one at a time" : "")}{Backlog(report)}";
    }

    static string Backlog(PoolReport report) =>
        report.MaxBacklog is > 0 and { } backlog ? $", up to {Format.Plural(backlog, "item")} in the queue" : "";

    static string ToDo(PoolReport report) =>
        report.Findings.SelectMany(f => f.Remedies).Select(r => r.Text).FirstOrDefault()
        ?? "Find what blocks the workers and make it asynchronous.";

    static double LongestWait(PoolReport report) => report.Episodes.Max(e => e.ProvenWaitMs);

    static string Seen(PoolReport report) => Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start));

    static string Missing(PoolReport report) =>
        report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? "events were lost"
        : report.Timeline.Heartbeats.Length < 2 ? "no heartbeat came, so backlog and completions are not known"
        : "the capture is too short";
}
