using Tpwatch.Events.Facts;
using Tpwatch.Explain.Gaps;

namespace Tpwatch.Explain;

/// <summary>One headline in plain words: is it the pool, since when, how bad, is it over, what to do.</summary>
static class HeadlineSentence
{
    public static string Of(PoolReport report) => Of(report, Subject(report)) + Again(report);

    /// <summary>The episode that the verdict is about: the longest.</summary>
    static StarvedEpisode? Subject(PoolReport report) => report.Episodes.IsEmpty ? null : report.Episodes.MaxBy(e => e.Span.Ms);

    static string Of(PoolReport report, StarvedEpisode? episode) => (report.Verdict, episode) switch
    {
        (Verdict.Starved, { } e) => $"The thread pool {Was(e)} starved{Since(report, e)}: work waited while every worker was blocked"
            + $"{Injections(report)}. {ToDo(report)}",
        (Verdict.SilentlyStarved, { } e) when IsCompensated(report) => $"The thread pool {Was(e)} behind{Since(report, e)}: workers wait for tasks, and it adds "
            + $"workers for them too slowly; an item waited at least {Format.Duration(e.ProvenWaitMs)}{Backlog(report)}. {ToDo(report)}",
        (Verdict.SilentlyStarved, { } e) => $"The thread pool {Was(e)} starved{Since(report, e)}, and the runtime's own detector does not see it: "
            + $"an item waited at least {Format.Duration(e.ProvenWaitMs)}{Backlog(report)}. {ToDo(report)}",
        (Verdict.Saturated, { } e) => $"Work {(e.Over ? "waited" : "waits")} for processors, not for workers{Since(report, e)}: they were busy. "
            + "More workers would not help; find what uses them, or add processors.",
        (Verdict.Compensated, _) => $"Workers wait for tasks (sync over async); the pool adds workers for them{KeepsUp(report)}. "
            + "Await instead of blocking, before it cannot any more.",
        (Verdict.Healthy, _) => $"The thread pool is not the problem: no wait of a second or more for a worker in {Seen(report)}.",
        (Verdict.NotThePool, _) => "The delay has another cause than the thread pool.",
        _ => $"Undecided: {Missing(report)}.",
    };

    static string Was(StarvedEpisode episode) => episode.Over ? "was" : "is";

    static string Since(PoolReport report, StarvedEpisode episode)
    {
        var utc = Format.Utc(report.Timeline.UtcOf(episode.Span.From));
        var length = Format.Duration(episode.Span.Ms);
        return episode.Over ? $" from {utc} for {length}, over now" : $" since {utc} ({length})";
    }

    /// <summary>A shorter episode that lasts must not hide behind a longer one that is over.</summary>
    static string Again(PoolReport report) =>
        Subject(report) is { Over: true } && report.Episodes[^1] is { Over: false } now
            ? $" It waits again since {Format.Utc(report.Timeline.UtcOf(now.Span.From))}."
            : "";

    /// <summary>The silence is that of cooperative steps, which come, but too slowly; not that of a detector kept asleep.</summary>
    static bool IsCompensated(PoolReport report) =>
        report.Adjustments.ContainsKey(AdjustmentReason.CooperativeBlocking) && !report.Gaps.Any(g => g.Rule == GapRule.G3Silent);

    static string Injections(PoolReport report)
    {
        var count = report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation);
        return $"; the gate added {Format.Plural(count, "worker")}{(count > 1 ? " one at a time" : "")}{Backlog(report)}";
    }

    static string Backlog(PoolReport report) =>
        report.MaxBacklog is > 0 and { } backlog ? $", up to {Format.Plural(backlog, "item")} in the queue" : "";

    static string ToDo(PoolReport report) =>
        report.Findings.SelectMany(f => f.Remedies).Select(r => r.Text).FirstOrDefault()
        ?? "Find what blocks the workers and make it asynchronous.";

    static string KeepsUp(PoolReport report) =>
        report.Timeline.Heartbeats.Length < 2 || report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true }
            ? "; whether that suffices cannot be said"
            : " and keeps up";

    static string Seen(PoolReport report) => Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start));

    static string Missing(PoolReport report) =>
        report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? "events were lost"
        : report.Timeline.Heartbeats.Length < 2 ? "no heartbeat came, so backlog and completions are not known"
        : report.Timeline.Heartbeats[^1].Backlog > 0 ? "items wait and none completes, but too few to prove for how long"
        : "the capture is too short";
}
