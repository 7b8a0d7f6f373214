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
        var (goal, target) = (Goal(state), CooperativeSchedule.Target(state.Settings, waits));
        return goal > target && state.AddedForTaskWaits > 0 ? next with { CooperativeDue = state.Now }
            : goal < target && waits > (state.TaskWaits ?? 0)
                && state.CooperativeDue is null ? next with { CooperativeDue = Due(next, clock) }
            : next;
    }

    /// <summary>The state after a step; another one is due while the target thread count is below the compensated one.</summary>
    public static PoolState Stepped(PoolState state, int before, GateClock? clock)
    {
        var next = state with { AddedForTaskWaits = Math.Max(0, state.AddedForTaskWaits + Goal(state) - before) };
        var grows = Goal(state) >= before && Goal(state) < CooperativeSchedule.Target(state.Settings, state.TaskWaits ?? 0);
        return next with { CooperativeDue = grows ? Due(next, clock) : null };
    }

    public static Decision Decide(PoolState state, int waits)
    {
        var (goal, target) = (Goal(state), CooperativeSchedule.Target(state.Settings, waits));
        if (goal >= target)
        {
            var lower = Math.Min(goal - target, state.AddedForTaskWaits);
            return new(lower > 0 ? DecisionKind.Lower : DecisionKind.Hold,
                Mechanism.G4CooperativeStep, $"target {goal}, {waits} task waits")
            { Workers = lower };
        }

        var jump = Math.Min(target, CooperativeSchedule.JumpUpTo(state.Settings, state.Existing ?? 0));
        return goal < jump
            ? new(DecisionKind.Add, Mechanism.G5CooperativeJump, $"threads up to {jump} are added at once") { Workers = jump - goal }
            : new(DecisionKind.Add, Mechanism.G4CooperativeStep,
                $"{CooperativeSchedule.DelayAfter(goal, state.Settings):0} ms delay at {goal} threads");
    }

    // Existing threads need no delay, so a step up to their number is due at once.
    static EventTime Due(PoolState state, GateClock? clock) =>
        Goal(state) < CooperativeSchedule.JumpUpTo(state.Settings, state.Existing ?? 0)
            ? state.Now
            : state.Now.PlusMs(OnTimer(CooperativeSchedule.DelayAfter(Goal(state), state.Settings), clock));

    // The wait ends at an interrupt of the timer.
    static double OnTimer(double delayMs, GateClock? clock) =>
        clock is null ? delayMs : Math.Ceiling(delayMs / clock.StepMs) * clock.StepMs;

    static int Goal(PoolState state) => state.Goal ?? state.Settings.Min;
}
