using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Waits at the border of starvation: the queue is never empty, and by its length and rate items wait for most of a second. A longer look
/// or another moment may prove a second, so this is no all-clear.
/// </summary>
static class Borderline
{
    /// <summary>
    /// Half of what is called starvation: without a dequeue for so long, the runtime's own detector triggers (GateThread, since .NET 6).
    /// </summary>
    const double WorthTellingMs = GateTiming.StarvationMs;

    /// <summary>
    /// How long items wait by Little's law in the newest stretch of samples with a queue, milliseconds; null below the border.
    /// </summary>
    public static double? WaitMs(TimelineSnapshot timeline) =>
        Lasting.LastRun(timeline, beat => beat is { Backlog: > 0, Completed: not null, IntervalMs: > 0 }) is { Length: > 0 } run
            && run.Sum(b => b.Completed!.Value) is > 0 and var done
            && run.Sum(b => b.Backlog!.Value * b.IntervalMs!.Value) / done is >= WorthTellingMs and var ms
            ? ms
            : null;
}
