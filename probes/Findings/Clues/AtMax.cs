using Tpwatch.Reports;

namespace Tpwatch.Findings.Clues;

/// <summary>Whether the pool had as many workers as max allows while items waited: then no rule adds another, and no min does.</summary>
static class AtMax
{
    /// <summary>
    /// That max, known or shown by ticks of the gate at which nobody came; null where it was not reached as far as is known.
    /// </summary>
    public static int? Reached(PoolReport report) =>
        report.Timeline.Target.MaxWorkers.Value is { } max ? report.MaxWorkers >= max && report.MaxBacklog > 0 ? max : null
        : report.Verdict == Verdict.StarvedAtMax ? report.Timeline.Levels.Workers ?? report.MaxWorkers
        : null;
}
