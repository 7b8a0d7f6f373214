using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Detects waits just below starvation: the queue is never empty, and by its length and rate items wait for most of a second. A longer
/// capture or another time may prove a wait of a second, so the pool is not called healthy.
/// </summary>
static class Borderline
{
    /// <summary>
    /// The shortest wait reported as borderline, milliseconds: half of a wait that counts as starvation. The runtime's own starvation
    /// detection triggers after this time without a dequeue (GateThread, since .NET 6).
    /// </summary>
    const double WorthTellingMs = GateTiming.StarvationMs;

    /// <summary>
    /// How long items wait by Little's law in the newest series of samples with a queue, milliseconds; null below the border.
    /// </summary>
    public static double? WaitMs(TimelineSnapshot timeline) =>
        Lasting.LastRun(timeline, sample => sample is { QueueLength: > 0, Completed: not null, IntervalMs: > 0 }) is { Length: > 0 } run
            && run.Sum(b => b.Completed!.Value) is > 0 and var done
            && run.Sum(b => b.QueueLength!.Value * b.IntervalMs!.Value) / done is >= WorthTellingMs and var ms
            ? ms
            : null;
}
