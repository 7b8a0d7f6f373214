using Tpwatch.Basics;
using Tpwatch.Events;
using Tpwatch.Events.Facts;
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
    readonly StarvationJudge starvation;
    readonly KnownSettings settings;
    readonly GateTracker gate;
    readonly GapBook book = new();
    readonly WaitLedger waits;
    readonly LedgerTotals totals = new();
    readonly ArrivalTracker arrivals;
    readonly CompensationTracker compensation;
    PoolState state;
    EventTime start;
    EventTime now;
    EventTime? lastRise;
    EventTime? unseenRise;
    EventTime? previousStep;

    public GapLedger(TargetFacts target, IInjectionPolicy policy)
    {
        this.policy = policy;
        starvation = new(policy);
        settings = new(target);
        state = policy.Start(settings.Current);
        gate = new(policy, state);
        waits = new(book);
        arrivals = new(gate, waits, book.NextNumber);
        compensation = new(target);
    }

    public PoolState State => state;

    public BeatLog Beats => waits.Beats;

    public bool DidNotRun(EventSpan span) => waits.DidNotRun(span);

    public LedgerSnapshot Snapshot() => totals.AddTo(waits.AddTo(book.Snapshot(OpenGap.After(lastRise, now, state, (policy, waits.Beats, book.PeekNumber()))), now));

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
        switch (fact.Reason)
        {
            case AdjustmentReason.Starvation: Starved(fact); break;
            case AdjustmentReason.CooperativeBlocking: Compensated(fact, rises); break;
            default: book.Put(Move.Of(book.NextNumber(), fact, state.Goal, waits.Beats)); break;
        }

        // Where hill climbing or a time-out moves the goal, the step for task waits that is pending keeps the delay of the goal before.
        previousStep = rises && fact.Reason == AdjustmentReason.CooperativeBlocking ? fact.At : null;
        Apply(new PoolInput.GoalSeen(fact.At, fact.Goal, fact.Reason));
        gate.Adjusted(fact, state);
    }

    public void On(in ThroughputSampled fact) => See(fact.At);

    public void On(in WorkerStarted fact)
    {
        See(fact.At);
        arrivals.Started(fact);
        Workers(fact.At, fact.Existing);
        Apply(new PoolInput.Dequeued(fact.At));
    }

    public void On(in WorkerStopped fact)
    {
        arrivals.Ended(fact.At);
        SeeWorkers(fact.At, fact.Existing);
    }

    public void On(in WorkerWaited fact)
    {
        gate.On(fact);
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
        state = state with { Goal = settings.GoalAfterCall(state.Goal, compensation.Stands) };
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
        waits.Take(beat, state, unseenRise > lastRise || lastRise is null ? unseenRise : lastRise);
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
        // Adjustments and calls may be among what was lost: nobody knows that none came until then, nor what the goal and the limits are now.
        (unseenRise, previousStep) = (fact.At, null);
        settings.Lose();
        state = state with { Goal = null, Settings = settings.Current };
    }

    public void On(in EventUndecodable fact) => See(fact.At);

    /// <summary>
    /// A starvation injection: the gate's tick and its own judgement. It shows that nothing was dequeued for more than 500 ms, but not
    /// that anything waited: a request for a worker stays open when as many long items run as the goal allows and the queue is empty.
    /// So whether it starved is decided by the heartbeats around it.
    /// </summary>
    void Starved(in WorkerGoalChanged fact)
    {
        gate.Seen(fact.ThreadId);
        waits.EndAt(fact.At);
        var given = gate.CaseOf(fact, state);
        var span = given.WithoutDequeue(waits.Beats, start);
        var charge = compensation.At(state, waits.Hindrances.Last?.MemoryLoad);
        var gap = waits.Judgements.Close(fact.At, log => charge(starvation.Judge(0, given, log)), gap => waits.Episodes.Starved(span, gap.Cpu));
        arrivals.Rose(gap, state.Existing);
        lastRise = fact.At;
    }

    void Compensated(in WorkerGoalChanged fact, bool rises)
    {
        gate.Seen(fact.ThreadId);
        var given = new CooperativeCase(state.Settings, state.Goal, fact.Goal, fact.At, previousStep, gate.LastStart, state.Existing);
        var gap = waits.Judgements.Close(fact.At, log => CooperativeJudge.Judge(0, given, log));
        if (CooperativeJudge.RefutesAssumedMin(gap, given))
        {
            settings.RefuteAssumedMin();
            SeeSettings(fact.At);
        }

        compensation.Stepped(rises);
        if (rises)
        {
            waits.Episodes.Added(fact.At);
            arrivals.Rose(gap, state.Existing);
        }

        lastRise = rises ? fact.At : lastRise;
        unseenRise = state.Goal is null ? fact.At : unseenRise;
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
