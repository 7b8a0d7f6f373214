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
    /// <summary>Dequeues inside one gap that are kept; a gap with more has no need of the first.</summary>
    const int MaxDequeues = 32;

    /// <summary>The gate sleeps after two periods without requests and starts a new phase when it wakes.</summary>
    const double GateSleepsMs = 1000;

    readonly IInjectionPolicy policy;
    readonly StarvationJudge starvation;
    readonly GapBook book = new();
    readonly BeatLog beats = new();
    readonly ThreadBirths births = new();
    readonly RampTracker ramp = new();
    readonly WaitTracker waits = new();
    readonly EpisodeTracker episodes = new();
    readonly List<EventSpan> losses = [];
    readonly List<Pending> pending = [];
    readonly SortedDictionary<AdjustmentReason, int> adjustments = [];
    readonly TargetFacts target;
    PoolState state;
    PoolState atTick;
    ImmutableArray<EventTime> dequeues = [];
    EventTime now;
    EventTime? lastRise;
    EventTime? lastStart;
    EventTime? previousStep;
    EventTime? idleAt;
    int? gateThread;
    bool minSeen;
    int? processors;
    int? maxWorkers;
    long? maxBacklog;

    public GapLedger(TargetFacts target, IInjectionPolicy policy)
    {
        this.target = target;
        this.policy = policy;
        starvation = new(policy);
        processors = target.Processors.Value;
        state = atTick = policy.Start(Settings(processors ?? Environment.ProcessorCount, target.MinWorkers.Value, target.MaxWorkers.Value));
    }

    public LedgerSnapshot Snapshot() => book.Snapshot(OpenGap()) with
    {
        Adjustments = adjustments.ToImmutableSortedDictionary(),
        Episodes = episodes.Snapshot(beats.Last?.At ?? now, beats.Last?.IntervalMs ?? 0),
        MaxWorkers = maxWorkers,
        MaxBacklog = maxBacklog,
    };

    public void On(in StreamOpened fact)
    {
        now = fact.At;
        if (processors is null && fact.Processors > 0)
        {
            Know(fact.At, fact.Processors, null, null);
        }
    }

    public void On(in WorkerGoalChanged fact)
    {
        See(fact.At);
        CloseRamp();
        adjustments[fact.Reason] = adjustments.GetValueOrDefault(fact.Reason) + 1;
        switch (fact.Reason)
        {
            case AdjustmentReason.Starvation: Starved(fact); break;
            case AdjustmentReason.CooperativeBlocking: Compensated(fact); break;
            default: Moved(fact); break;
        }

        var isInjection = fact.Reason is AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking;
        lastRise = !isInjection || (state.Goal is { } goal && fact.Goal <= goal) ? lastRise : fact.At;
        Apply(new PoolInput.GoalSeen(fact.At, fact.Goal, fact.Reason));
        if (fact.Reason == AdjustmentReason.Starvation)
        {
            atTick = state with { LastDequeue = null };
            dequeues = [];
        }
    }

    public void On(in ThroughputSampled fact) => See(fact.At);

    public void On(in WorkerStarted fact)
    {
        See(fact.At);
        var birth = births.Of(fact.ThreadId);
        var gated = gateThread is not null && birth?.Creator == gateThread;
        if (!gated)
        {
            RampStart(fact.At, birth);
        }

        lastStart = fact.At;
        Workers(fact.At, fact.Existing);
        Dequeued(fact.At);
    }

    public void On(in WorkerStopped fact)
    {
        See(fact.At);
        Workers(fact.At, fact.Existing);
    }

    public void On(in WorkerWaited fact)
    {
        See(fact.At);
        idleAt = fact.At;
        Workers(fact.At, fact.Existing);
    }

    public void On(in ThreadCreated fact)
    {
        See(fact.At);
        births.On(fact);
    }

    public void On(in ThreadBegan fact)
    {
        See(fact.At);
        births.On(fact);
    }

    public void On(in LimitsChanged fact)
    {
        See(fact.At);
        Know(fact.At, null, fact.Min, fact.Max);
        state = state with { Goal = state.Goal ?? fact.Min };
    }

    public void On(in CountersRead fact)
    {
        See(fact.At);
        var beat = HeartbeatTracker.Translate(fact, processors);
        beats.Add(beat);
        maxBacklog = Max(maxBacklog, beat.Backlog);
        if (beat.Workers is { } workers)
        {
            Workers(fact.At, workers);
        }

        JudgeAgain(fact.At);
        TrackWaits(beat);
    }

    public void On(in HeartbeatOverruled fact) => See(fact.At);

    public void On(in ProcessorsCounted fact)
    {
        See(fact.At);
        Know(fact.At, fact.Count, null, null);
    }

    public void On(in SwitchSeen fact)
    {
        See(fact.At);
        if (fact is { On: true, Name: "System.Threading.ThreadPool.DisableStarvationDetection" })
        {
            Apply(new PoolInput.SettingsSeen(fact.At, state.Settings with { DetectorDisabled = true }));
        }
    }

    public void On(in ClockSeen fact) => Apply(new PoolInput.ClockRead(fact.At, fact.Reading));

    public void On(in EventsLost fact)
    {
        losses.Add(new(now, fact.At));
        See(fact.At);
        previousStep = null;
    }

    public void On(in EventUndecodable fact) => See(fact.At);

    /// <summary>A starvation injection: the gate's tick, its own judgement, and proof that nothing was dequeued for more than 500 ms.</summary>
    void Starved(in WorkerGoalChanged fact)
    {
        KnowGate(fact.ThreadId);
        var given = new StarvationCase(
            Anchor(fact) with { Goal = state.Goal, Settings = state.Settings, Existing = state.Existing, Clock = state.Clock },
            dequeues, fact.At, fact.Goal);
        var number = book.NextNumber();
        Close(fact.At, log => Lossless(starvation.Judge(number, given, log)));
        var from = given.Before.LastTick is { } tick && fact.At.MsSince(tick) < GateTiming.MaxUnseenTicks * GateTiming.AfterHold
            && beats.MayHaveCompleted(tick, fact.At) == false ? tick : fact.At.PlusMs(-GateTiming.StarvationMs);
        episodes.Starved(new(from, fact.At));
        previousStep = null;
    }

    /// <summary>The gate's last known tick: the last injection, or the gate's own birth; none when it may have slept since.</summary>
    PoolState Anchor(in WorkerGoalChanged fact)
    {
        if (atTick.LastTick is { } tick)
        {
            return MayHaveSlept(tick, fact.At) ? policy.Apply(atTick, new PoolInput.GateLost(fact.At)) with { LastDequeue = lastStart } : atTick;
        }

        return births.Of(fact.ThreadId) is { } birth && !MayHaveSlept(birth.Began, fact.At)
            ? policy.Apply(atTick, new PoolInput.GateBegan(birth.Began))
            : atTick with { LastDequeue = lastStart };
    }

    /// <summary>A worker that went to sleep found the queue empty: from then on the gate may have had nothing to look for.</summary>
    bool MayHaveSlept(EventTime since, EventTime at) => idleAt is { } idle && idle > since && at.MsSince(idle) > GateSleepsMs;

    void Compensated(in WorkerGoalChanged fact)
    {
        KnowGate(fact.ThreadId);
        var rises = state.Goal is not { } goal || fact.Goal > goal;
        var given = new CooperativeCase(state.Settings, state.Goal, fact.Goal, fact.At, previousStep, lastStart, state.Existing);
        var number = book.NextNumber();
        Close(fact.At, log => Lossless(CooperativeJudge.Judge(number, given, log)));
        previousStep = rises ? fact.At : null;
    }

    /// <summary>Hill climbing and time-outs follow completed work or idleness, not a wait.</summary>
    void Moved(in WorkerGoalChanged fact)
    {
        var reason = fact.Reason;
        book.Add(new Gap
        {
            Number = book.NextNumber(),
            StartBasis = Basis.Unknown,
            End = fact.At,
            EndBasis = Basis.Observed,
            Reason = reason,
            GoalBefore = state.Goal,
            GoalAfter = fact.Goal,
            Verdict = Enum.IsDefined(reason) ? GapVerdict.NotTimed : GapVerdict.NoRule,
            Rule = reason == AdjustmentReason.ThreadTimedOut || !Enum.IsDefined(reason) ? GapRule.None : GapRule.G11Probing,
            Because = MoveSentence.Of(reason),
            Cpu = beats.CpuAt(fact.At),
            Backlog = beats.BacklogAt(fact.At),
        });
    }

    void RampStart(EventTime at, Birth? birth)
    {
        if (ramp.StartsNewBurst(at))
        {
            CloseRamp();
        }

        ramp.Add(at, birth?.Created);
    }

    void CloseRamp()
    {
        if (ramp.Close(book.NextNumber, state, beats) is { } gap)
        {
            book.Add(Lossless(gap));
        }
    }

    void Close(EventTime at, Func<BeatLog, Gap> judge)
    {
        var gap = judge(beats);
        book.Add(gap);
        pending.Add(new(at, judge));
    }

    /// <summary>The heartbeat that covers a gap says whether items completed inside and how busy the processors were.</summary>
    void JudgeAgain(EventTime covered)
    {
        foreach (var gap in pending.Where(p => p.At <= covered))
        {
            book.Replace(gap.Judge(beats));
        }

        pending.RemoveAll(p => p.At <= covered);
    }

    void TrackWaits(Heartbeat beat)
    {
        var waited = beats.ProvenWaitMs();
        if (waited >= WaitTracker.AlarmMs)
        {
            episodes.Waited(new(beat.At.PlusMs(-waited), beat.At), beat.Cpu);
        }

        var number = 0;
        if (waits.Take((beats, state, lastRise), () => number = book.NextNumber()) is not { } gap)
        {
            return;
        }

        if (gap.Number == number)
        {
            book.Add(Lossless(gap));
        }
        else
        {
            book.Replace(Lossless(gap));
        }
    }

    /// <summary>The wait that goes on right now, with the moments at which the rule may end it.</summary>
    Gap? OpenGap()
    {
        if (lastRise is not { } rise || beats.Last is not { Backlog: > 0 } || policy.NextWake(state) is not { } wake
            || now.MsSince(rise) > GateTiming.MaxUnseenTicks * GateTiming.AfterHold)
        {
            return null;
        }

        var windows = ImmutableArray.CreateBuilder<GapWindow>();
        var ahead = state;
        Decision? decision = null;
        for (Wake? next = wake; next is { } w && windows.Count < 2 && w.At.MsSince(rise) < GateTiming.MaxUnseenTicks * GateTiming.AfterHold; next = policy.NextWake(ahead))
        {
            var found = policy.Decide(ahead, w);
            if (w.Latest > now && found.Possible)
            {
                windows.Add(new(w.Earliest.MsSince(rise), w.Latest.MsSince(rise)));
                decision ??= found;
            }

            ahead = w.Kind == WakeKind.Tick ? policy.Apply(ahead, new PoolInput.Ticked(w.At)) : ahead with { CooperativeDue = null };
        }

        return decision is null ? null : Open(rise, windows.ToImmutable(), decision);
    }

    Gap Open(EventTime rise, ImmutableArray<GapWindow> windows, Decision decision) => new()
    {
        Number = book.PeekNumber(),
        Start = rise,
        StartBasis = Basis.Observed,
        End = now,
        EndBasis = Basis.Observed,
        GoalBefore = state.Goal,
        GoalAfter = state.Goal,
        Windows = windows,
        Verdict = GapVerdict.Open,
        Rule = decision.Rule,
        Because = "If nothing is dequeued before, the next worker comes "
            + string.Join(" or ", windows.Select(w => $"{Format.Duration(w.MinMs + GateTiming.EarlyMs)}")) + " after the last injection.",
        Cpu = beats.Last?.Cpu,
        Backlog = beats.Last?.Backlog,
    };

    /// <summary>What loss touches is not judged.</summary>
    Gap Lossless(Gap gap)
    {
        var span = new EventSpan(gap.Start ?? gap.End, gap.End);
        return losses.Exists(l => l.Touches(span))
            ? gap with { Verdict = GapVerdict.NoData, Because = "Events were lost inside; not judged." }
            : gap;
    }

    void Workers(EventTime at, int existing)
    {
        maxWorkers = (int?)Max(maxWorkers, existing);
        Apply(new PoolInput.WorkersSeen(at, existing));
    }

    void Dequeued(EventTime at)
    {
        dequeues = dequeues.Length < MaxDequeues ? dequeues.Add(at) : [.. dequeues.Skip(1), at];
        Apply(new PoolInput.Dequeued(at));
    }

    void KnowGate(int threadId) => gateThread = threadId;

    void Know(EventTime at, int? count, int? min, int? max)
    {
        processors = count ?? processors;
        var known = state.Settings;
        var assumed = target.MinWorkers.Value is null && !minSeen;
        minSeen |= min is not null;
        Apply(new PoolInput.SettingsSeen(at, known with
        {
            Processors = processors ?? known.Processors,
            // Unless something says otherwise the runtime's default holds: min is the processor count.
            Min = min ?? (assumed ? processors ?? known.Min : known.Min),
            Max = max ?? known.Max,
        }));
    }

    PoolSettings Settings(int count, int? min, int? max) =>
        new(count, min ?? count, max) { Unverified = target.RuntimeMajor is < 6 or > 10 };

    void Apply(PoolInput input) => state = policy.Apply(state, input);

    void See(EventTime at)
    {
        now = at > now ? at : now;
        if (ramp.IsOver(now))
        {
            CloseRamp();
        }
    }

    static long? Max(long? a, long? b) => a is null ? b : b is null ? a : Math.Max(a.Value, b.Value);

    readonly record struct Pending(EventTime At, Func<BeatLog, Gap> Judge);
}
