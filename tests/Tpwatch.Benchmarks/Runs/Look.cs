using Tpwatch.Explain;
using Tpwatch.Explain.Forecast;

namespace Tpwatch.Benchmarks.Runs;

/// <summary>What is kept of a report that was made while a run went on.</summary>
/// <param name="At">The newest event it knew.</param>
/// <param name="Delay">What it said of an item queued at the last heartbeat; null when nothing.</param>
internal sealed record Look(EventTime At, StartDelay? Delay)
{
    public static Look Of(PoolReport report) => new(report.Timeline.Now, report.Forecast?.StartDelayOfNewItem);
}
