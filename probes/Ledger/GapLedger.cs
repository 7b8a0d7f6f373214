using Tpwatch.Basics;
using Tpwatch.Events;
using Tpwatch.Events.Facts;
using Tpwatch.Ledger.Beats;
using Tpwatch.Model;
using Tpwatch.Reports;
using Tpwatch.Timeline;

namespace Tpwatch.Ledger;

/// <summary>
/// Accounts for every wait for a worker: folds facts, asks the policy, and judges each gap when it closes; once a heartbeat has covered
/// the gap it is judged again with what that adds.
/// </summary>
sealed class GapLedger : IFactSink
{
    readonly IInjectionPolicy policy;
    readonly KnownSettings settings;
    readonly GateTracker gate;
    readonly GapBook book = new();
    readonly WaitLedger waits;
    readonly LedgerTotals totals = new();
    readonly ArrivalTracker arrivals;
    readonly Injections injections;
    PoolState state;
    EventTime start;
    EventTime now;

    public GapLedger(TargetFacts target, IInjectionPolicy policy)
    {
        this.policy = policy;
        settings = new(target);
        state = policy.Start(settings.Current);
        gate = new(policy, state);
        waits = new(book, target);
        arrivals = new(gate, waits, book.NextNumber);
        injections = new(policy, target, gate, waits, arrivals);
    }

    public PoolState State => state;

    public BeatLog Beats => waits.Beats;

    public bool DidNotRun(EventSpan span) => waits.DidNotRun(span);

    public LedgerSnapshot Snapshot() => totals.AddTo(
        waits.AddTo(book.Snapshot(OpenGap.After(injections.LastRise, now, state, (policy, waits.Beats, book.PeekNumber()))), now));

    public void On(in StreamOpened fact)
    {
        start = now = fact.At;
        waits.Open(fact);
        settings.HeaderSays(fact.Processors);
        SeeSettings(fact.At);
    }

    public void On(in WorkerGoalChanged fact)
    {
        See(fact.At);
        arrivals.CloseRamp(state);
        totals.Count(fact.Reason);
        var rises = fact.Goal > state.Goal;
        waits.Beats.Newcomers.Come(fact.Goal - (state.Goal ?? 0));
        switch (fact.Reason)
        {
            case AdjustmentReason.Starvation: injections.Starved(fact, state, start); break;
            case AdjustmentReason.CooperativeBlocking: Compensated(fact, rises); break;
            default: book.Put(Move.Of(book.NextNumber(), fact, state.Goal, waits.Beats)); break;
        }

        injections.Adjusted(fact, rises);
        Apply(new PoolInput.GoalSeen(fact.At, fact.Goal, fact.Reason));
        gate.Adjusted(fact, state);
    }

    public void On(in ThroughputSampled fact) => See(fact.At);

    public void On(in WorkerStarted fact)
    {
        See(fact.At);
        arrivals.Started(fact);
        waits.Beats.Newcomers.Come(1);
        waits.Held.Started(fact);
        Workers(fact.At, fact.Existing);
        Apply(new PoolInput.Dequeued(fact.At));
    }

    public void On(in WorkerStopped fact)
    {
        arrivals.Ended(fact.At);
        waits.Held.Ended(fact);
        SeeWorkers(fact.At, fact.Existing);
    }

    public void On(in WorkerWaited fact)
    {
        gate.On(fact);
        waits.Beats.Newcomers.Slept();
        waits.Held.Slept(fact);
        SeeWorkers(fact.At, fact.Existing);
    }

    public void On(in ThreadCreated fact)
    {
        See(fact.At);
        gate.On(fact);
    }

    public void On(in ThreadBegan fact)
    {
        See(fact.At);
        gate.On(fact);
    }

    public void On(in LimitsChanged fact)
    {
        See(fact.At);
        settings.Limits(fact.Min, fact.Max);
        Apply(new PoolInput.SettingsSeen(fact.At, settings.Current));
        var goal = settings.GoalAfterCall(state.Goal, injections.Compensates);
        waits.Beats.Newcomers.Come(goal - (state.Goal ?? 0));
        state = state with { Goal = goal };
    }

    public void On(in CountersRead fact)
    {
        See(fact.At);
        var beat = HeartbeatTracker.Translate(fact, settings.Processors);
        waits.Beats.Add(beat);
        totals.Backlog(beat.Backlog);
        if (beat.Workers is { } workers)
        {
            Workers(fact.At, workers);
        }

        Apply(new PoolInput.Counted(fact.At, null, beat.Cpu, beat.Backlog > 0 ? true : null));
        waits.Take(beat, state, injections.LastPossibleRise);
    }

    public void On(in HeartbeatOverruled fact) => See(fact.At);

    public void On(in ProcessorsCounted fact)
    {
        settings.RuntimeCounts(fact.Count);
        SeeSettings(fact.At);
    }

    public void On(in SwitchSeen fact)
    {
        settings.Switch(fact.Name, fact.On);
        SeeSettings(fact.At);
    }

    public void On(in ThreadsSuspended fact)
    {
        See(fact.At);
        waits.Take(fact);
    }

    public void On(in ProcessSampled fact) => waits.Take(fact);

    public void On(in ClockSeen fact) => Apply(new PoolInput.ClockRead(fact.At, fact.Reading));

    public void On(in EventsLost fact)
    {
        waits.Lose(new(now, fact.At));
        arrivals.Lose();
        See(fact.At);
        // Adjustments and calls may be among what was lost: nobody knows that none came until
        // then, nor what the goal and the limits are now.
        injections.Lose(fact.At);
        settings.Lose();
        state = state with { Goal = null, Settings = settings.Current };
    }

    public void On(in EventUndecodable fact) => See(fact.At);

    void Compensated(in WorkerGoalChanged fact, bool rises)
    {
        if (injections.Compensated(fact, state, rises))
        {
            settings.RefuteAssumedMin();
            SeeSettings(fact.At);
        }
    }

    void SeeSettings(EventTime at)
    {
        See(at);
        Apply(new PoolInput.SettingsSeen(at, settings.Current));
    }

    void SeeWorkers(EventTime at, int existing)
    {
        See(at);
        Workers(at, existing);
    }

    void Workers(EventTime at, int existing)
    {
        totals.Workers(existing);
        // A busy service's workers go to sleep thousands of times a second; nothing may be allocated for that.
        if (existing != state.Existing)
        {
            Apply(new PoolInput.WorkersSeen(at, existing));
        }
    }

    void Apply(PoolInput input) => state = policy.Apply(state, input);

    void See(EventTime at)
    {
        now = EventTime.Max(now, at);
        waits.See(now);
        waits.Judgements.DecideWithoutHeartbeat(now.MsSince(start));
        arrivals.See(now, state);
    }
}
