using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

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

    /// <summary>
    /// Whether the pool was raised after the newest counter sample: a max that was inferred before is not reached then, and the next sample
    /// tells what is. A rise for task waits that only calls back threads that exist asks nothing.
    /// </summary>
    public static bool IsInQuestion(PoolReport report) => report.Timeline is { Target.MaxWorkers.Value: null, Heartbeats: [.., { } newest] }
        && report.Gaps.Any(g => g.End > newest.At && g.GoalAfter > (g.GoalBefore ?? 0)
            && (g.Reason == AdjustmentReason.Starvation
                || (g.Reason == AdjustmentReason.CooperativeBlocking && g.GoalAfter > newest.Workers)));
}
