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
                CheckBeforeDequeue = state.LastCheck <= input.At ? state.LastCheck : null,
            },
            PoolInput.Counted counted => next with
            {
                DequeuedUnseen = counted.Completed,
                Cpu = counted.Cpu ?? state.Cpu,
                CpuAtMost = counted.CpuAtMost,
                Outstanding = counted.Outstanding,
            },
            PoolInput.WorkersSeen seen => next with { Existing = seen.Existing },
            PoolInput.TargetThreadsSeen seen => Adjusted(next, seen),
            PoolInput.GateChecked => next with { LastCheck = input.At, CheckPeriodMs = clock?.CheckMs ?? GateTiming.AfterHold },
            PoolInput.GateBegan => next with { LastCheck = input.At, CheckPeriodMs = clock?.CheckMs ?? GateTiming.FirstCheck },
            PoolInput.GateLost => next with { LastCheck = null, CooperativeDue = null },
            PoolInput.SettingsSeen seen => next with { Settings = seen.Settings },
            PoolInput.ClockRead read => next with { Clock = read.Clock },
            PoolInput.QueueLengthSeen seen => next with { QueueLength = seen.Items, Outstanding = seen.Items > 0 },
            PoolInput.TaskWaitsSeen seen => Compensation.Told(next, seen.Workers, clock),
            _ => next,
        };
    }

    public PoolCheck? NextCheck(PoolState state)
    {
        var periodic = state.LastCheck?.PlusMs(state.CheckPeriodMs);
        return (periodic, state.CooperativeDue) switch
        {
            (_, { } due) when periodic is null || due < periodic => new PoolCheck(due, GateCheckKind.CooperativeDelay),
            ({ } at, _) => new PoolCheck(at, GateCheckKind.Periodic),
            _ => null,
        };
    }

    public Decision Decide(PoolState state, PoolCheck check)
    {
        if (check.Kind == GateCheckKind.CooperativeDelay && state.TaskWaits is { } waits)
        {
            return Compensation.Decide(state, waits);
        }

        if (state.IsAtMax)
        {
            // Existing worker threads above the target thread count may be idle, and do not keep the gate thread from raising it; nor does
            // a MaxThreads value that may have been changed by a lost event.
            return Hold(
                Mechanism.G8Ceiling, $"MaxThreads ({state.Settings.Max}) is reached") with
            { Possible = state.TargetThreads < state.Settings.Max || state.Settings.LimitsLost };
        }

        return check.Kind == GateCheckKind.CooperativeDelay ? CooperativeStep(state) : Tick(state, check);
    }

    PoolState Adjusted(PoolState state, PoolInput.TargetThreadsSeen seen)
    {
        var grown = state.TargetThreads is not { } targetThreads || seen.TargetThreads > targetThreads;
        var next = state with { TargetThreads = seen.TargetThreads };
        return seen.Reason switch
        {
            AdjustmentReason.Starvation => next with
            {
                LastCheck = seen.At,
                CheckPeriodMs = clock?.CheckMs ?? GateTiming.AfterInjection,
                CooperativeDue = null,
                LastDequeue = seen.At.PlusMs(GateTiming.InjectionToDequeue),
                DequeuedUnseen = null,
                CheckBeforeDequeue = seen.At,
            },
            AdjustmentReason.CooperativeBlocking when state.TaskWaits is not null =>
                Compensation.Stepped(next, state.TargetThreads ?? state.Settings.Min, clock),
            AdjustmentReason.CooperativeBlocking => next with
            {
                CooperativeDue = grown ? seen.At.PlusMs(CooperativeSchedule.DelayAfter(seen.TargetThreads, state.Settings)) : null,
            },
            _ => next,
        };
    }

    static Decision CooperativeStep(PoolState state)
    {
        var targetThreads = state.TargetThreads ?? state.Settings.Min;
        var delay = CooperativeSchedule.DelayAfter(targetThreads, state.Settings);
        return delay == 0
            ? new(DecisionKind.Add, Mechanism.G5CooperativeJump, "threads up to "
                + $"{CooperativeSchedule.FreeUpTo(state.Settings)} are added at once")
            : new(DecisionKind.Add, Mechanism.G4CooperativeStep, $"{delay:0} ms delay at {targetThreads} threads");
    }

    Decision Tick(PoolState state, PoolCheck check)
    {
        if (state.Settings.DetectorDisabled)
        {
            return Hold(Mechanism.None, "starvation detection is switched off");
        }

        if (state.CooperativeDue is { } due && due > check.At)
        {
            return Hold(Mechanism.G4CooperativeStep, "a thread for a task wait is pending");
        }

        if (state.Outstanding == false)
        {
            return Hold(Mechanism.None, "no worker thread is requested");
        }

        return state.LastDequeue is { } dequeue
            ? Starvation(state, check, dequeue)
            : new(DecisionKind.Undecided, Mechanism.G1GateTick, $"the last {state.Settings.ClockWord} is not known");
    }

    Decision Starvation(PoolState state, PoolCheck check, EventTime dequeue)
    {
        var busy = state.IsBusyAt(state.Cpu);
        var mayBeBusy = busy || state.IsBusyAt(state.CpuAtMost);
        var busyNeed = GateTiming.BusyStarvationMs * (state.TargetThreads ?? state.Settings.Min);
        var need = busy ? busyNeed : GateTiming.StarvationMs;
        var age = Age(state, check, dequeue, need);
        var slack = ClockSteps * (clock?.StepMs ?? state.Clock?.StepMs ?? UnknownStepMs);
        var real = check.At.MsSince(dequeue);
        return new(age.More ? DecisionKind.Add : DecisionKind.Hold, busy ? Mechanism.G2CpuThrottle : Mechanism.G1GateTick)
        {
            NeedMs = need,
            ClockWord = state.Settings.ClockWord,
            SinceDequeueMs = age.Ms,
            Close = clock is null && state.Clock is null && !age.Sure,
            Near = !age.Sure,
            Sure = age.Sure && (!age.More || state.DequeuedUnseen == false),
            // With busy processors one low sample at the check is enough to inject by the shorter threshold.
            Possible = real > (busy ? GateTiming.StarvationMs : need) - slack,
            MayBeBusy = mayBeBusy && !busy && real <= busyNeed + slack,
            Certain = real > (mayBeBusy ? busyNeed : need) + slack && (!mayBeBusy || state.TargetThreads is not null)
                && state is { DequeuedUnseen: false, Cpu: not null, Outstanding: true },
        };
    }

    DequeueAge Age(PoolState state, PoolCheck check, EventTime dequeue, double need)
    {
        if (clock is null)
        {
            return DequeueClock.Age(state.Clock, check.At, new(dequeue, state.CheckBeforeDequeue), need);
        }

        var age = clock.Between(dequeue, check.At);
        return new(age, clock.Reached(age, need), Sure: true);
    }

    static Decision Hold(Mechanism rule, string why) => new(DecisionKind.Hold, rule, why) { Possible = false };
}
