using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Injections of the gate beside compensation for task waits: what the two kinds of adjustment say together.</summary>
static class StandingCompensation
{
    /// <summary>The gate's injections while work waited.</summary>
    public static ImmutableArray<Gap> Injections(PoolReport report) =>
        [.. report.Gaps.Where(g => g is { Reason: AdjustmentReason.Starvation, Backlog: null or > 0 })];

    /// <summary>
    /// Those of them before which the last adjustment for task waits had raised the goal: task waits go on, for their end lowers it. The
    /// gate looks at starvation only when no step is pending, so the pool had either compensated every task wait that it counts or was not
    /// let.
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

    /// <summary>Rises for task waits after the first injection of the gate: each shows that the pool could and did compensate.</summary>
    public static int RisesAfterFirstInjection(PoolReport report) =>
        Injections(report) is [var first, ..]
            ? report.Gaps.Count(g => g.Reason == AdjustmentReason.CooperativeBlocking && g.GoalAfter > g.GoalBefore && g.End > first.End)
            : 0;
}
