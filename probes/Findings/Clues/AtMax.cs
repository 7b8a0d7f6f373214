using Tpwatch.Reports;

namespace Tpwatch.Findings.Clues;

/// <summary>Whether the pool had as many workers as max allows while items waited: then no rule adds another, and no min does.</summary>
static class AtMax
{
    /// <summary>That max; null where it is not known or was not reached.</summary>
    public static int? Reached(PoolReport report) =>
        report.Timeline.Target.MaxWorkers.Value is { } max && report.MaxWorkers >= max && report.MaxBacklog > 0 ? max : null;
}
