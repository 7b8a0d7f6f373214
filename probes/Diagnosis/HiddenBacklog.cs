using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// What the queue's length does not show: on Linux the runtime's socket engine keeps sockets that are ready in a queue of its own and
/// asks the pool with one item for all of them. Where the queue is never empty and every worker is slow to end what it has, that one item
/// may stand for a hundred requests.
/// </summary>
static class HiddenBacklog
{
    /// <summary>Items a worker and second; above it workers are free again soon, and a ready socket is served.</summary>
    const double FewASecond = 2;

    /// <summary>Whether there may be one: heartbeats in a row with something in the queue while little completes.</summary>
    public static bool MayBe(PoolReport report) =>
        report.Timeline.Target.Os is null or "Linux" or "linux" && Lasting.Shows(report.Timeline, IsSlow);

    /// <summary>
    /// Whether it is so now, on any system: something is queued at each reading, so every worker has an item, and few end. No wait need be
    /// proven for that: work that each second brings as much as ends leaves a short queue, whatever holds the workers.
    /// </summary>
    public static bool IsNow(TimelineSnapshot timeline) => Lasting.ShowsLately(timeline, IsSlow);

    /// <summary>
    /// Whether counters alone leave a pool open that stacks would decide: it is so now, items wait for nearly as long as in starvation, or
    /// workers are idle or hang.
    /// </summary>
    public static bool IsUnclear(TimelineSnapshot timeline, int? mayHang) =>
        mayHang is not null || IsNow(timeline) || Borderline.WaitMs(timeline) is not null;

    static bool IsSlow(Heartbeat beat) =>
        beat is { Backlog: > 0, Workers: > 0 and { } workers, Completed: { } done, IntervalMs: > 0 and { } interval }
        && done * 1000 / interval < FewASecond * workers;
}
