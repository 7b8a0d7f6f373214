using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>
/// Blocking compensation for task waits (.NET 6 and later) where the number of waits is given rather than inferred. It raises the target
/// thread count along <see cref="CooperativeSchedule"/>, and lowers it at once by the number of threads that it had added. From
/// PortableThreadPool.Blocking, whose memory limit is not modelled.
/// </summary>
static class Compensation
{
    /// <summary>
    /// The state after the number of waits changed: a step becomes due if none is pending, or at once when too many threads were added.
    /// </summary>
    public static PoolState Told(PoolState state, int waits, GateClock? clock)
    {
        var next = state with { TaskWaits = waits };
        var (targetThreads, target) = (TargetThreads(state), CooperativeSchedule.Target(state.Settings, waits));
        return targetThreads > target && state.AddedForTaskWaits > 0 ? next with { CooperativeDue = state.Now }
            : targetThreads < target && waits > (state.TaskWaits ?? 0)
                && state.CooperativeDue is null ? next with { CooperativeDue = Due(next, clock) }
            : next;
    }

    /// <summary>The state after a step; another one is due while the target thread count is below the compensated one.</summary>
    public static PoolState Stepped(PoolState state, int before, GateClock? clock)
    {
        var next = state with { AddedForTaskWaits = Math.Max(0, state.AddedForTaskWaits + TargetThreads(state) - before) };
        var grows = TargetThreads(state) >= before
            && TargetThreads(state) < CooperativeSchedule.Target(state.Settings, state.TaskWaits ?? 0);
        return next with { CooperativeDue = grows ? Due(next, clock) : null };
    }

    public static Decision Decide(PoolState state, int waits)
    {
        var (targetThreads, target) = (TargetThreads(state), CooperativeSchedule.Target(state.Settings, waits));
        if (targetThreads >= target)
        {
            var lower = Math.Min(targetThreads - target, state.AddedForTaskWaits);
            return new(lower > 0 ? DecisionKind.Lower : DecisionKind.Hold,
                Mechanism.G4CooperativeStep, $"target {targetThreads}, {waits} task waits")
            { Workers = lower };
        }

        var jump = Math.Min(target, CooperativeSchedule.JumpUpTo(state.Settings, state.Existing ?? 0));
        return targetThreads < jump
            ? new(DecisionKind.Add, Mechanism.G5CooperativeJump,
                $"threads up to {jump} are added at once")
            { Workers = jump - targetThreads }
            : new(DecisionKind.Add, Mechanism.G4CooperativeStep,
                $"{CooperativeSchedule.DelayAfter(targetThreads, state.Settings):0} ms delay at {targetThreads} threads");
    }

    // Existing threads need no delay, so a step up to their number is due at once.
    static EventTime Due(PoolState state, GateClock? clock) =>
        TargetThreads(state) < CooperativeSchedule.JumpUpTo(state.Settings, state.Existing ?? 0)
            ? state.Now
            : state.Now.PlusMs(OnTimer(CooperativeSchedule.DelayAfter(TargetThreads(state), state.Settings), clock));

    // The wait ends at an interrupt of the timer.
    static double OnTimer(double delayMs, GateClock? clock) =>
        clock is null ? delayMs : Math.Ceiling(delayMs / clock.StepMs) * clock.StepMs;

    static int TargetThreads(PoolState state) => state.TargetThreads ?? state.Settings.Min;
}
