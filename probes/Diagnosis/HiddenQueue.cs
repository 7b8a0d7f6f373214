using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Detects waiting work that the queue length does not show: on Linux the runtime's socket engine keeps ready sockets in its own queue and
/// queues one pool item for all of them. If the queue is never empty and every worker thread is slow to complete its item, that one item
/// may stand for a hundred requests.
/// </summary>
static class HiddenQueue
{
    /// <summary>
    /// Completed items per worker thread and second; above this rate worker threads are free again soon, and a ready socket is served.
    /// </summary>
    const double FewASecond = 2;

    /// <summary>Whether such work may exist: several counter samples in a row have a queue while few items complete.</summary>
    public static bool MayBe(PoolEvidence report) =>
        report.Timeline.Target.Os is null or "Linux" or "linux" && Lasting.Shows(report.Timeline, IsSlow);

    /// <summary>
    /// Whether it may exist now, on any system: every reading has a queued item, so every worker thread has one, and few complete. This
    /// needs no proven wait: if each second brings as many items as complete, the queue stays short, whatever holds the worker threads.
    /// </summary>
    public static bool IsNow(TimelineSnapshot timeline) => Lasting.ShowsLately(timeline, IsSlow);

    /// <summary>
    /// Whether counters alone do not decide the state of the pool but stacks would: such work may exist now, items wait for nearly as long
    /// as in starvation, or worker threads are idle or hang.
    /// </summary>
    public static bool IsUnclear(TimelineSnapshot timeline, int? mayHang) =>
        mayHang is not null || IsNow(timeline) || Borderline.WaitMs(timeline) is not null;

    static bool IsSlow(CounterSample sample) =>
        sample is { QueueLength: > 0, Workers: > 0 and { } workers, Completed: { } done, IntervalMs: > 0 and { } interval }
        && done * 1000 / interval < FewASecond * workers;
}
