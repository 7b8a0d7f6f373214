using System.Collections.Immutable;
using Tpwatch.Attach;
using Tpwatch.Events;
using Tpwatch.Events.Facts;
using Tpwatch.Explain.Policies;
using Tpwatch.Timeline;

namespace Tpwatch.Explain.Gaps;

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
    readonly BeatLog beats = new();
    readonly RampTracker ramp = new();
    readonly WaitTracker waits = new();
    readonly EpisodeTracker episodes = new();
    readonly Judgements judgements;
    readonly SortedDictionary<AdjustmentReason, int> adjustments = [];
    PoolState state;
    EventTime start;
    EventTime now;
    EventTime? lastRise;
    EventTime? previousStep;
    int? maxWorkers;
    long? maxBacklog;

    public GapLedger(TargetFacts target, IInjectionPolicy policy)
    {
        this.policy = policy;
        starvation = new(policy);
        settings = new(target);
        state = policy.Start(settings.Current);
        gate = new(policy, state);
        judgements = new(book, beats);
    }

    public PoolState State => state;

    public BeatLog Beats => beats;

    public LedgerSnapshot Snapshot() =>
        book.Snapshot(OpenGap.After(lastRise, now, state, (policy, beats, book.PeekNumber()))) with
        {
            Adjustments = adjustments.ToImmutableSortedDictionary(),
            Episodes = episodes.Snapshot(beats.Last?.At ?? now, beats.Last?.IntervalMs ?? 0),
            DroppedEpisodes = episodes.Dropped,
            DroppedMs = episodes.DroppedMs,
            MaxWorkers = maxWorkers,
            MaxBacklog = maxBacklog,
        };

    public void On(in StreamOpened fact)
    {
        start = now = fact.At;
        settings.HeaderSays(fact.Processors);
        Apply(new PoolInput.SettingsSeen(fact.At, settings.Current));
    }

    public void On(in WorkerGoalChanged fact)
    {
        See(fact.At);
        CloseRamp();
        adjustments[fact.Reason] = adjustments.GetValueOrDefault(fact.Reason) + 1;
        var rises = fact.Goal > state.Goal;
        switch (fact.Reason)
        {
            case AdjustmentReason.Starvation: Starved(fact); break;
            case AdjustmentReason.CooperativeBlocking: Compensated(fact, rises); break;
            default: book.Put(Move.Of(book.NextNumber(), fact, state.Goal, beats)); break;
        }

        Apply(new PoolInput.GoalSeen(fact.At, fact.Goal, fact.Reason));
        if (fact.Reason == AdjustmentReason.Starvation)
        {
            gate.Injected(state);
        }
    }

    public void On(in ThroughputSampled fact) => See(fact.At);

    public void On(in WorkerStarted fact)
    {
        See(fact.At);
        if (gate.Started(fact) is { } birth)
        {
            ramp.Add(fact.At, birth.Created);
        }

        Workers(fact.At, fact.Existing);
        Apply(new PoolInput.Dequeued(fact.At));
    }

    public void On(in WorkerStopped fact) => SeeWorkers(fact.At, fact.Existing);

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
        state = state with { Goal = state.Goal ?? fact.Min };
    }

    public void On(in CountersRead fact)
    {
        See(fact.At);
        var beat = HeartbeatTracker.Translate(fact, settings.Processors);
        beats.Add(beat);
        maxBacklog = beat.Backlog > (maxBacklog ?? -1) ? beat.Backlog : maxBacklog;
        if (beat.Workers is { } workers)
        {
            Workers(fact.At, workers);
        }

        Apply(new PoolInput.Counted(fact.At, null, beat.Cpu, beat.Backlog > 0 ? true : null));
        judgements.JudgeAgain(fact.At);
        episodes.Take(beats);
        PutWait(waits.Take((beats, state, lastRise), book.NextNumber));
    }

    public void On(in HeartbeatOverruled fact) => See(fact.At);

    public void On(in ProcessorsCounted fact)
    {
        See(fact.At);
        settings.RuntimeCounts(fact.Count);
        Apply(new PoolInput.SettingsSeen(fact.At, settings.Current));
    }

    public void On(in SwitchSeen fact)
    {
        See(fact.At);
        settings.Switch(fact.Name, fact.On);
        Apply(new PoolInput.SettingsSeen(fact.At, settings.Current));
    }

    public void On(in ClockSeen fact) => Apply(new PoolInput.ClockRead(fact.At, fact.Reading));

    public void On(in EventsLost fact)
    {
        judgements.Lose(new(now, fact.At));
        // What completed meanwhile is not known, so nothing can be proven across the loss.
        beats.Forget();
        See(fact.At);
        previousStep = null;
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
        // An injection ends a silent wait; what follows is that injection's own gap.
        PutWait(waits.Close(fact.At));
        var given = gate.CaseOf(fact, state);
        var span = given.WithoutDequeue(beats, start);
        judgements.Close(fact.At, log => starvation.Judge(0, given, log), gap => episodes.Starved(span, gap.Cpu));
        (lastRise, previousStep) = (fact.At, null);
    }

    void Compensated(in WorkerGoalChanged fact, bool rises)
    {
        gate.Seen(fact.ThreadId);
        var given = new CooperativeCase(state.Settings, state.Goal, fact.Goal, fact.At, previousStep, gate.LastStart, state.Existing);
        var gap = judgements.Close(fact.At, log => CooperativeJudge.Judge(0, given, log));
        if (CooperativeJudge.RefutesAssumedMin(gap, given))
        {
            settings.RefuteAssumedMin();
            Apply(new PoolInput.SettingsSeen(fact.At, settings.Current));
        }

        lastRise = rises ? fact.At : lastRise;
        previousStep = rises ? fact.At : null;
    }

    void CloseRamp()
    {
        if (ramp.Close(book.NextNumber, state, beats) is { } gap)
        {
            judgements.Put(gap);
        }
    }

    void PutWait(Gap? gap)
    {
        if (gap is not null)
        {
            judgements.Put(gap);
        }
    }

    void SeeWorkers(EventTime at, int existing)
    {
        See(at);
        Workers(at, existing);
    }

    void Workers(EventTime at, int existing)
    {
        maxWorkers = Math.Max(maxWorkers ?? 0, existing);
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
        judgements.DecideWithoutHeartbeat(now.MsSince(start));
        if (ramp.IsOver(now))
        {
            CloseRamp();
        }
    }
}
