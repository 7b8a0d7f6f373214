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
