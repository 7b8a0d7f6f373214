using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Accounts for every wait for a worker: hands each fact to those who need it, in order. The stages: what the pool is known to be
/// (<see cref="PoolKnown"/>), what the gate did (<see cref="GateTracker"/>), the gap that closes (<see cref="Injections"/>), its judgement
/// (<see cref="Judgements"/>), the book.
/// </summary>
sealed class GapLedger : IFactSink
{
    readonly IInjectionPolicy policy;
    readonly PoolKnown pool;
    readonly GateTracker gate;
    readonly GapBook book = new();
    readonly WaitLedger waits;
    readonly LedgerTotals totals = new();
    readonly ArrivalTracker arrivals;
    readonly Injections injections;
    EventTime start, now;

    public GapLedger(TargetFacts target, IInjectionPolicy policy)
    {
        this.policy = policy;
        pool = new(policy, target);
        gate = new(policy, pool.State);
        waits = new(book, policy, target);
        arrivals = new(gate, waits, book.NextNumber);
        injections = new(target, gate, waits, arrivals);
    }

    public PoolState State => pool.State;
    public BeatLog Beats => waits.Beats;

    /// <summary>Whether the pool is at MaxThreads while items wait, so that no thread comes.</summary>
    public bool IsAtMax => waits.IsAtMax;

    public bool DidNotRun(EventSpan span) => waits.DidNotRun(span);

    public LedgerSnapshot Snapshot() => totals.AddTo(
        waits.AddTo(book.Snapshot(IsAtMax ? null
            : OpenGap.After(injections.LastRise, now, State, policy, waits.Beats, book.PeekNumber())), now));

    public void On(in StreamOpened fact)
    {
        start = now = fact.At;
        Pass(fact);
    }

    public void On(in WorkerGoalChanged fact)
    {
        See(fact.At);
        arrivals.CloseRamp(State);
        var rises = fact.Goal > State.Goal;
        totals.Count(fact.Reason, rises);
        waits.Beats.Newcomers.Come(fact.Goal - (State.Goal ?? 0));
        switch (fact.Reason)
        {
            case AdjustmentReason.Starvation: injections.Starved(fact, State, start); break;
            case AdjustmentReason.CooperativeBlocking: Compensated(fact, rises); break;
            default: book.Put(Move.Of(book.NextNumber(), fact, State.Goal, waits.Beats)); break;
        }

        injections.Adjusted(fact, State, rises);
        pool.Adjusted(fact);
        gate.Adjusted(fact, State);
    }

    public void On(in ThroughputSampled fact) => Pass(fact);

    public void On(in WorkerStarted fact)
    {
        See(fact.At);
        arrivals.Started(fact);
        Pass(fact);
    }

    public void On(in WorkerStopped fact)
    {
        arrivals.Ended(fact.At);
        Pass(fact);
    }

    public void On(in WorkerWaited fact) => Pass(fact);

    public void On(in ThreadCreated fact) => Pass(fact);

    public void On(in ThreadBegan fact) => Pass(fact);

    public void On(in LimitsChanged fact)
    {
        See(fact.At);
        waits.Beats.Newcomers.Come(pool.Limited(fact, injections.Compensates));
        if (!fact.Stand)
        {
            injections.Limited(fact.At);
            gate.Moved(fact.At, State.Goal);
            if (pool.CountAnew(fact.At, injections.Compensates) is { } due)
            {
                gate.Stepped(fact.At, due);
            }
        }
    }

    public void On(in CountersRead fact)
    {
        See(fact.At);
        var beat = pool.Read(fact);
        waits.Beats.Add(beat);
        totals.Backlog(beat.Backlog);
        if (beat.Workers is { } workers)
        {
            totals.Workers(workers);
            pool.Workers(fact.At, workers);
            injections.Counted(fact.At, workers);
        }

        pool.Apply(new PoolInput.Counted(fact.At, null, beat.Cpu, beat.Backlog > 0 ? true : null));
        waits.Take(beat, State, injections.LastPossibleRise, injections.HighestAt(fact.At, State.Settings));
    }

    public void On(in ProcessorsCounted fact) => Pass(fact);

    public void On(in SwitchSeen fact) => Pass(fact);

    public void On(in ThreadsSuspended fact) => Pass(fact);

    // Read beside the stream: they say nothing of how far the stream is complete.
    public void On(in ProcessSampled fact) => waits.On(fact);

    public void On(in ClockSeen fact) => pool.On(fact);

    public void On(in EventsLost fact)
    {
        waits.Lose(new(now, fact.At));
        arrivals.Lose();
        See(fact.At);
        gate.Lose(fact.At);
        injections.Lose(fact.At);
        pool.Lose(fact.At);
    }

    void Compensated(in WorkerGoalChanged fact, bool rises)
    {
        if (injections.Compensated(fact, State, rises))
        {
            pool.RefuteAssumedMin(fact.At);
        }
    }

    void Pass<T>(in T fact)
        where T : struct, IFact
    {
        See(fact.At);
        fact.Tell(totals);
        fact.Tell(gate);
        fact.Tell(waits);
        fact.Tell(pool);
    }

    public void See(EventTime at)
    {
        now = EventTime.Max(now, at);
        waits.Passed(now);
        waits.Judgements.DecideWithoutHeartbeat(now.MsSince(start));
        arrivals.See(now, State);
    }
}

/// <summary>What is counted over the whole capture, whatever was forgotten of its parts.</summary>
sealed class LedgerTotals : IFactSink
{
    readonly SortedDictionary<AdjustmentReason, int> adjustments = [];
    int compensations;

    ImmutableSortedDictionary<AdjustmentReason, int> Adjustments => adjustments.ToImmutableSortedDictionary();
    int? MaxWorkers { get; set; }
    long? MaxBacklog { get; set; }

    public LedgerSnapshot AddTo(LedgerSnapshot snapshot) =>
        snapshot with { Adjustments = Adjustments, Compensations = compensations, MaxWorkers = MaxWorkers, MaxBacklog = MaxBacklog };

    public void Count(AdjustmentReason reason, bool rises)
    {
        adjustments[reason] = adjustments.GetValueOrDefault(reason) + 1;
        compensations += rises && reason == AdjustmentReason.CooperativeBlocking ? 1 : 0;
    }

    public void On(in WorkerStarted fact) => Workers(fact.Existing);

    public void On(in WorkerStopped fact) => Workers(fact.Existing);

    public void On(in WorkerWaited fact) => Workers(fact.Existing);

    public void Workers(int existing) => MaxWorkers = Math.Max(MaxWorkers ?? 0, existing);

    public void Backlog(long? items) => MaxBacklog = items > (MaxBacklog ?? -1) ? items : MaxBacklog;
}

/// <summary>A change of the goal that answers no wait: hill climbing and time-outs follow completed work or idleness.</summary>
static class Move
{
    public static Gap Of(int number, in WorkerGoalChanged fact, int? goalBefore, BeatLog beats) => new()
    {
        Number = number,
        StartBasis = Basis.Unknown,
        End = fact.At,
        EndBasis = Basis.Observed,
        Reason = fact.Reason,
        GoalBefore = goalBefore,
        GoalAfter = fact.Goal,
        Verdict = Enum.IsDefined(fact.Reason) ? GapVerdict.NotTimed : GapVerdict.NoRule,
        Mechanism = fact.Reason == AdjustmentReason.ThreadTimedOut || !Enum.IsDefined(fact.Reason) ? Mechanism.None : Mechanism.G11Probing,
        Because = Sentence(fact.Reason),
        Cpu = beats.CpuAt(fact.At),
        Backlog = beats.BacklogAround(fact.At),
    };

    static string Sentence(AdjustmentReason reason) => reason switch
    {
        AdjustmentReason.Warmup => "Hill climbing (the pool's throughput tuning) takes its first measurements. "
            + "Hill climbing acts when items complete, not at fixed times.",
        AdjustmentReason.Initializing => "Hill climbing (the pool's throughput tuning) starts from this target thread count.",
        AdjustmentReason.RandomMove or AdjustmentReason.ClimbingMove or AdjustmentReason.ChangePoint =>
            "Hill climbing tries another number of threads. Hill climbing acts when items complete, not at fixed times.",
        AdjustmentReason.Stabilizing => "Hill climbing settles on a number of threads. Hill climbing acts when items complete, not at "
            + "fixed times.",
        AdjustmentReason.ThreadTimedOut => "An idle worker thread ended after its timeout.",
        _ => $"The runtime gives reason {(int)reason}, which tpwatch does not know.",
    };
}

/// <summary>The wait that goes on right now, with the moments at which the rule may end it if nothing else happens.</summary>
static class OpenGap
{
    /// <summary>More than the next two moments are not worth saying.</summary>
    const int MaxWindows = 2;

    /// <summary>The open gap after the last rise of the goal, or null when nothing waits or the next moments are not known.</summary>
    public static Gap? After(EventTime? lastRise, EventTime now, PoolState state, IInjectionPolicy policy, BeatLog beats, int number)
    {
        if (lastRise is not { } rise || beats.Last is not { Backlog: > 0 } beat || now.MsSince(rise) > Horizon)
        {
            return null;
        }

        var (windows, rule) = Ahead(rise, now, state, policy);
        return windows.IsEmpty ? null : new()
        {
            Number = number,
            Start = rise,
            StartBasis = Basis.Observed,
            End = now,
            EndBasis = Basis.Observed,
            GoalBefore = state.Goal,
            GoalAfter = state.Goal,
            Windows = windows,
            Verdict = GapVerdict.Open,
            Mechanism = rule,
            Because = Next(rule),
            Cpu = beat.Cpu,
            Backlog = beat.Backlog,
        };
    }

    // When it comes is told once, by the forecast, which also knows which of the moments is likely.
    static string Next(Mechanism rule) => rule switch
    {
        Mechanism.G4CooperativeStep => "Items still wait. If threads still wait for tasks, the pool adds the next thread.",
        Mechanism.G2CpuThrottle => "Items still wait. While the processors are busy, the pool waits longer before it adds a thread.",
        _ => "Items still wait. Unless an item is dequeued first, one of the next gate checks adds a thread.",
    };

    static double Horizon => GateTiming.MaxUnseenTicks * GateTiming.AfterHold;

    static (ImmutableArray<GapWindow> Windows, Mechanism Mechanism) Ahead(
        EventTime rise, EventTime now, PoolState state, IInjectionPolicy policy)
    {
        var windows = ImmutableArray.CreateBuilder<GapWindow>();
        var rule = Mechanism.None;
        foreach (var (tick, known) in GateWalk.From(policy, state).TakeWhile(l => l.Tick.At.MsSince(rise) < Horizon))
        {
            if (tick.Latest <= now || policy.Decide(known, tick) is not { Possible: true } decision)
            {
                continue;
            }

            windows.Add(new(tick.Earliest.MsSince(rise), tick.Latest.MsSince(rise)));
            rule = rule == Mechanism.None ? decision.Mechanism : rule;
            if (windows.Count == MaxWindows)
            {
                break;
            }
        }

        return (windows.ToImmutable(), rule);
    }
}

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
