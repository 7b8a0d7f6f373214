using Tpwatch.Explain;

namespace Tpwatch.Benchmarks.Runs;

/// <summary>What is kept of a report that was made while a run went on.</summary>
/// <param name="At">The newest event it knew.</param>
/// <param name="Backlog">Items that waited by its last heartbeat.</param>
internal sealed record Look(EventTime At, long? Backlog)
{
    public static Look Of(PoolReport report) => new(report.Timeline.Now, report.Timeline.Levels.Backlog);
}
