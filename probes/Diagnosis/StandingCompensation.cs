using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Injections by the gate thread alongside blocking compensation: evidence from both kinds of adjustment.</summary>
static class StandingCompensation
{
    /// <summary>The injections by the gate thread while items waited.</summary>
    public static ImmutableArray<Gap> Injections(PoolReport report) =>
        [.. report.Gaps.Where(g => g is { Reason: AdjustmentReason.Starvation, Backlog: null or > 0 })];

    /// <summary>
    /// The injections at which task waits still continued: the last adjustment for task waits before them had raised the target thread
    /// count, and the end of the waits would have lowered it. The gate thread checks for starvation only when no step is pending, so the
    /// pool had either compensated every task wait that it counts or was not allowed to.
    /// </summary>
    public static ImmutableArray<Gap> InjectionsBeside(PoolReport report)
    {
        var beside = ImmutableArray.CreateBuilder<Gap>();
        var stands = false;
        foreach (var gap in report.Gaps)
        {
            stands = gap.Reason == AdjustmentReason.CooperativeBlocking ? gap.GoalAfter > gap.GoalBefore : stands;
            if (stands && gap is { Reason: AdjustmentReason.Starvation, Backlog: null or > 0 })
            {
                beside.Add(gap);
            }
        }

        return beside.ToImmutable();
    }

    /// <summary>
    /// Number of rises for task waits after the first injection by the gate thread: each shows that the pool could compensate.
    /// </summary>
    public static int RisesAfterFirstInjection(PoolReport report) =>
        Injections(report) is [var first, ..]
            ? report.Gaps.Count(g => g.Reason == AdjustmentReason.CooperativeBlocking && g.GoalAfter > g.GoalBefore && g.End > first.End)
            : 0;
}
