using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>The pool as the policy knows it, input by input, with its settings as far as they were seen.</summary>
sealed class PoolKnown : IFactSink
{
    readonly IInjectionPolicy policy;
    readonly KnownSettings settings;
    ClimbWave wave = ClimbWave.From(default);

    public PoolKnown(IInjectionPolicy policy, TargetFacts target)
    {
        this.policy = policy;
        settings = new(target);
        State = policy.Start(settings.Current);
    }

    public PoolState State { get; private set; }

    public void Apply(PoolInput input) => State = policy.Apply(State, input);

    /// <summary>A heartbeat in numbers of one processor each.</summary>
    public Heartbeat Read(in CountersRead fact) => HeartbeatTracker.Translate(fact, settings.Processors);

    public void On(in WorkerStarted fact)
    {
        Workers(fact.At, fact.Existing);
        Apply(new PoolInput.Dequeued(fact.At));
    }

    public void On(in WorkerStopped fact) => Workers(fact.At, fact.Existing);

    public void On(in WorkerWaited fact) => Workers(fact.At, fact.Existing);

    public void On(in ClockSeen fact) => Apply(new PoolInput.ClockRead(fact.At, fact.Reading));

    public void Workers(EventTime at, int existing)
    {
        // A busy service's workers go to sleep thousands of times a second; nothing may be allocated for that.
        if (existing != State.Existing)
        {
            Apply(new PoolInput.WorkersSeen(at, existing));
        }
    }

    public void On(in StreamOpened fact)
    {
        settings.HeaderSays(fact.Processors);
        wave = ClimbWave.From(fact.At);
        Tell(fact.At);
    }

    public void On(in ThroughputSampled fact) => Climbs(fact.At, wave.Sampled());

    /// <summary>The goal was set, by whatever reason.</summary>
    public void Adjusted(in WorkerGoalChanged fact)
    {
        Climbs(fact.At, ClimbWave.From(fact.At));
        Apply(new PoolInput.GoalSeen(fact.At, fact.Goal, fact.Reason));
    }

    public void On(in ProcessorsCounted fact)
    {
        settings.RuntimeCounts(fact.Count);
        Tell(fact.At);
    }

    public void On(in SwitchSeen fact)
    {
        settings.Switch(fact.Name, fact.On);
        Tell(fact.At);
    }

    /// <summary>Limits were set, which moves the goal between them without an adjustment; or stand as they are.</summary>
    /// <returns>By how much the goal rose.</returns>
    public int Limited(in LimitsChanged fact, bool compensates)
    {
        settings.Limits(fact.Min, fact.Max);
        wave = ClimbWave.From(fact.At);
        Tell(fact.At);
        if (fact.Stand)
        {
            return 0;
        }

        var before = State.Goal ?? 0;
        var goal = fact.GoalAfter(State.Goal, compensates);
        State = State with { Goal = goal };
        return goal - before;
    }

    /// <summary>
    /// A call that sets limits has task waits counted anew: where they go on, the delay of the next step begins with it.
    /// </summary>
    /// <returns>When that step is due; null where none is.</returns>
    public EventTime? CountAnew(EventTime at, bool compensates)
    {
        State = State with
        {
            CooperativeDue = compensates && State.Goal is { } goal
                ? at.PlusMs(CooperativeSchedule.DelayAfter(goal, State.Settings))
                : null,
        };
        return State.CooperativeDue;
    }

    /// <summary>A step came as it never would if min were the default.</summary>
    public void RefuteAssumedMin(EventTime at)
    {
        settings.RefuteAssumedMin();
        Tell(at);
    }

    /// <summary>Adjustments and calls may be among what was lost: nobody knows what the goal and the limits are now.</summary>
    public void Lose(EventTime at)
    {
        settings.Lose();
        Climbs(at, ClimbWave.From(at));
        State = State with { Goal = null, Settings = settings.Current };
    }

    // Told only when it changes: samples come a hundred times a second.
    void Climbs(EventTime at, ClimbWave next)
    {
        wave = next;
        if (settings.Climbs(wave))
        {
            Tell(at);
        }
    }

    void Tell(EventTime at) => Apply(new PoolInput.SettingsSeen(at, settings.Current));
}
