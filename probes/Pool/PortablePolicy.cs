using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>
/// The portable thread pool of .NET 6 to 10: one thread per gate check after more than 500 ms without a dequeue (target thread count × 1 s
/// with busy processors), and a separate schedule for task waits. Source: PortableThreadPool.GateThread and .Blocking of dotnet/runtime,
/// corrected by measurement.
/// </summary>
/// <param name="clock">The gate timing of a simulated machine; null: gate checks as measured, and the target's own clock.</param>
sealed class PortablePolicy(GateClock? clock = null) : IInjectionPolicy
{
    /// <summary>Steps by which the coarse clock may differ from the true time since a dequeue, in either direction.</summary>
    const double ClockSteps = 2;

    /// <summary>The step assumed where the clock was not read, milliseconds: the coarsest in use.</summary>
    const double UnknownStepMs = 16;

    public PoolState Start(PoolSettings settings) => new() { Settings = settings };

    public PoolState Apply(PoolState state, PoolInput input)
    {
        var next = state with { Now = input.At };
        return input switch
        {
            PoolInput.Queued => next with { Outstanding = true },
            PoolInput.Dequeued => next with
            {
                LastDequeue = input.At,
                DequeuedUnseen = null,
                TickBeforeDequeue = state.LastTick <= input.At ? state.LastTick : null,
            },
            PoolInput.Counted counted => next with
            {
                DequeuedUnseen = counted.Completed,
                Cpu = counted.Cpu ?? state.Cpu,
                CpuAtMost = counted.CpuAtMost,
                Outstanding = counted.Outstanding,
            },
            PoolInput.WorkersSeen seen => next with { Existing = seen.Existing },
            PoolInput.GoalSeen seen => Adjusted(next, seen),
            PoolInput.Ticked => next with { LastTick = input.At, TickPeriodMs = clock?.TickMs ?? GateTiming.AfterHold },
            PoolInput.GateBegan => next with { LastTick = input.At, TickPeriodMs = clock?.TickMs ?? GateTiming.FirstTick },
            PoolInput.GateLost => next with { LastTick = null, CooperativeDue = null },
            PoolInput.SettingsSeen seen => next with { Settings = seen.Settings },
            PoolInput.ClockRead read => next with { Clock = read.Clock },
            PoolInput.BacklogSeen seen => next with { Backlog = seen.Items, Outstanding = seen.Items > 0 },
            PoolInput.TaskWaitsSeen seen => Compensation.Told(next, seen.Workers, clock),
            _ => next,
        };
    }

    public PoolTick? NextTick(PoolState state)
    {
        var periodic = state.LastTick?.PlusMs(state.TickPeriodMs);
        return (periodic, state.CooperativeDue) switch
        {
            (_, { } due) when periodic is null || due < periodic => new PoolTick(due, TickKind.CooperativeDelay),
            ({ } at, _) => new PoolTick(at, TickKind.Periodic),
            _ => null,
        };
    }

    public Decision Decide(PoolState state, PoolTick tick)
    {
        if (tick.Kind == TickKind.CooperativeDelay && state.TaskWaits is { } waits)
        {
            return Compensation.Decide(state, waits);
        }

        if (state.IsAtMax)
        {
            // Existing worker threads above the target thread count may be idle, and do not keep the gate thread from raising it; nor does
            // a MaxThreads value that may have been changed by a lost event.
            return Hold(
                Mechanism.G8Ceiling, $"MaxThreads ({state.Settings.Max}) is reached") with
            { Possible = state.Goal < state.Settings.Max || state.Settings.LimitsLost };
        }

        return tick.Kind == TickKind.CooperativeDelay ? CooperativeStep(state) : Tick(state, tick);
    }

    PoolState Adjusted(PoolState state, PoolInput.GoalSeen seen)
    {
        var grown = state.Goal is not { } goal || seen.Goal > goal;
        var next = state with { Goal = seen.Goal };
        return seen.Reason switch
        {
            AdjustmentReason.Starvation => next with
            {
                LastTick = seen.At,
                TickPeriodMs = clock?.TickMs ?? GateTiming.AfterInjection,
                CooperativeDue = null,
                LastDequeue = seen.At.PlusMs(GateTiming.InjectionToDequeue),
                DequeuedUnseen = null,
                TickBeforeDequeue = seen.At,
            },
            AdjustmentReason.CooperativeBlocking when state.TaskWaits is not null =>
                Compensation.Stepped(next, state.Goal ?? state.Settings.Min, clock),
            AdjustmentReason.CooperativeBlocking => next with
            {
                CooperativeDue = grown ? seen.At.PlusMs(CooperativeSchedule.DelayAfter(seen.Goal, state.Settings)) : null,
            },
            _ => next,
        };
    }

    static Decision CooperativeStep(PoolState state)
    {
        var goal = state.Goal ?? state.Settings.Min;
        var delay = CooperativeSchedule.DelayAfter(goal, state.Settings);
        return delay == 0
            ? new(DecisionKind.Add, Mechanism.G5CooperativeJump, "threads up to "
                + $"{CooperativeSchedule.FreeUpTo(state.Settings)} are added at once")
            : new(DecisionKind.Add, Mechanism.G4CooperativeStep, $"{delay:0} ms delay at {goal} threads");
    }

    Decision Tick(PoolState state, PoolTick tick)
    {
        if (state.Settings.DetectorDisabled)
        {
            return Hold(Mechanism.None, "starvation detection is switched off");
        }

        if (state.CooperativeDue is { } due && due > tick.At)
        {
            return Hold(Mechanism.G4CooperativeStep, "a thread for a task wait is pending");
        }

        if (state.Outstanding == false)
        {
            return Hold(Mechanism.None, "no worker thread is requested");
        }

        return state.LastDequeue is { } dequeue
            ? Starvation(state, tick, dequeue)
            : new(DecisionKind.Undecided, Mechanism.G1GateTick, $"the last {state.Settings.ClockWord} is not known");
    }

    Decision Starvation(PoolState state, PoolTick tick, EventTime dequeue)
    {
        var busy = state.IsBusyAt(state.Cpu);
        var mayBeBusy = busy || state.IsBusyAt(state.CpuAtMost);
        var busyNeed = GateTiming.BusyStarvationMs * (state.Goal ?? state.Settings.Min);
        var need = busy ? busyNeed : GateTiming.StarvationMs;
        var age = Age(state, tick, dequeue, need);
        var slack = ClockSteps * (clock?.StepMs ?? state.Clock?.StepMs ?? UnknownStepMs);
        var real = tick.At.MsSince(dequeue);
        return new(age.More ? DecisionKind.Add : DecisionKind.Hold, busy ? Mechanism.G2CpuThrottle : Mechanism.G1GateTick,
            () => $"{Format.Ms(age.Ms)} since {state.Settings.ClockWord}, {Compared(state, age, need)}")
        {
            SinceDequeueMs = age.Ms,
            Likelihood = clock is null
                ? () => DequeueClock.Chance(state.Clock, tick.At, state.TickScatterMs, new(dequeue, state.TickBeforeDequeue), need)
                : null,
            Close = Blind(state) && !age.Sure,
            Near = !age.Sure,
            Sure = age.Sure && (!age.More || state.DequeuedUnseen == false),
            // With busy processors one low sample at the check is enough to inject by the shorter threshold.
            Possible = real > (busy ? GateTiming.StarvationMs : need) - slack,
            MayBeBusy = mayBeBusy && !busy && real <= busyNeed + slack,
            Certain = real > (mayBeBusy ? busyNeed : need) + slack && (!mayBeBusy || state.Goal is not null)
                && state is { DequeuedUnseen: false, Cpu: not null, Outstanding: true },
        };
    }

    DequeueAge Age(PoolState state, PoolTick tick, EventTime dequeue, double need)
    {
        if (clock is null)
        {
            return DequeueClock.Age(state.Clock, tick.At, new(dequeue, state.TickBeforeDequeue), need);
        }

        var age = clock.Between(dequeue, tick.At);
        return new(age, clock.Reached(age, need), Sure: true);
    }

    bool Blind(PoolState state) => clock is null && state.Clock is null;

    string Compared(PoolState state, DequeueAge age, double need) =>
        Blind(state) && !age.Sure ? $"too close to {need:0} ms to be certain"
        : age.More ? $">{need:0}"
        : $"not >{need:0}";

    static Decision Hold(Mechanism rule, string why) => new(DecisionKind.Hold, rule, why) { Possible = false };
}
