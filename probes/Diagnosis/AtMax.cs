using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Whether the pool had as many worker threads as MaxThreads allows while items waited: then no rule adds another, whatever MinThreads is.
/// </summary>
static class AtMax
{
    /// <summary>
    /// That MaxThreads, known or inferred from gate checks that added no thread; null when it was not reached as far as known.
    /// </summary>
    public static int? Reached(PoolEvidence report) =>
        report.Timeline.Target.MaxWorkers.Value is { } max ? report.MaxWorkers >= max && report.MaxQueueLength > 0 ? max : null
        : report.Verdict == Verdict.StarvedAtMax ? report.Timeline.Levels.Workers ?? report.MaxWorkers
        : null;

    /// <summary>
    /// Whether the target thread count rose after the newest counter sample: then a MaxThreads inferred earlier is not reached, and the
    /// next sample decides. A rise for task waits that only reactivates existing threads does not count.
    /// </summary>
    public static bool IsInQuestion(PoolEvidence report) =>
        report.Timeline is { Target.MaxWorkers.Value: null, CounterSamples: [.., { } newest] }
        && report.InjectionDelays.Any(g => g.End > newest.At && g.TargetThreadsAfter > (g.TargetThreadsBefore ?? 0)
            && (g.Reason == AdjustmentReason.Starvation
                || (g.Reason == AdjustmentReason.CooperativeBlocking && g.TargetThreadsAfter > newest.Workers)));
}
