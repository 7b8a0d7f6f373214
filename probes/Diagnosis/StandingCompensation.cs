using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Injections by the gate thread alongside blocking compensation: evidence from both kinds of adjustment.</summary>
static class StandingCompensation
{
    /// <summary>The injections by the gate thread while items waited.</summary>
    public static ImmutableArray<InjectionDelay> Injections(PoolEvidence report) =>
        [.. report.InjectionDelays.Where(g => g is { Reason: AdjustmentReason.Starvation, QueueLength: null or > 0 })];

    /// <summary>
    /// The injections at which task waits still continued: the last adjustment for task waits before them had raised the target thread
    /// count, and the end of the waits would have lowered it. The gate thread checks for starvation only when no step is pending, so the
    /// pool had either compensated every task wait that it counts or was not allowed to.
    /// </summary>
    public static ImmutableArray<InjectionDelay> InjectionsBeside(PoolEvidence report)
    {
        var side = ImmutableArray.CreateBuilder<InjectionDelay>();
        var stands = false;
        foreach (var delay in report.InjectionDelays)
        {
            stands = delay.Reason == AdjustmentReason.CooperativeBlocking ? delay.TargetThreadsAfter > delay.TargetThreadsBefore : stands;
            if (stands && delay is { Reason: AdjustmentReason.Starvation, QueueLength: null or > 0 })
            {
                side.Add(delay);
            }
        }

        return side.ToImmutable();
    }

    /// <summary>
    /// Number of rises for task waits after the first injection by the gate thread: each shows that the pool could compensate.
    /// </summary>
    public static int RisesAfterFirstInjection(PoolEvidence report) =>
        Injections(report) is [var first, ..]
            ? report.InjectionDelays.Count(g => g.Reason == AdjustmentReason.CooperativeBlocking
                && g.TargetThreadsAfter > g.TargetThreadsBefore && g.End > first.End)
            : 0;
}
