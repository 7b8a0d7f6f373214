using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Ledger;

/// <summary>
/// Accounts for every wait for a worker thread. Each fact (an event of the target) passes through five stages: the known state of the pool
/// (<see cref="PoolStateTracker"/>), the actions of the gate thread (<see cref="GateTracker"/>), the injection delay that ends (<see
/// cref="InjectionTracker"/>), its judgement (<see cref="DelayJudgements"/>), and the kept delays (<see cref="InjectionDelayStore"/>).
/// </summary>
sealed class PoolLedger : IFactSink
{
    readonly IInjectionPolicy policy;
    readonly PoolStateTracker pool;
    readonly GateTracker gate;
    readonly InjectionDelayStore book = new();
    readonly CounterSampleLedger waits;
    readonly LedgerTotals totals = new();
    readonly WorkerArrivalTracker arrivals;
    readonly InjectionTracker injections;
    EventTime start, now;

    public PoolLedger(TargetFacts target, IInjectionPolicy policy)
    {
        this.policy = policy;
        pool = new(policy, target);
        gate = new(policy, pool.State);
        waits = new(book, policy, target);
        arrivals = new(gate, waits, book.NextNumber);
        injections = new(target, gate, waits, arrivals);
    }

    public PoolState State => pool.State;
    public CounterSampleLog CounterSamples => waits.CounterSamples;

    /// <summary>Whether the pool is at MaxThreads while items wait, so that it adds no thread.</summary>
    public bool IsAtMax => waits.IsAtMax;

    public LedgerSnapshot Snapshot() => totals.AddTo(
        waits.AddTo(book.Snapshot(IsAtMax ? null
            : OpenDelay.After(injections.LastRise, now, State, policy, waits.CounterSamples, book.PeekNumber())), now));

    public void On(in StreamOpened fact)
    {
        start = now = fact.At;
        Pass(fact);
    }

    public void On(in TargetThreadsChanged fact)
    {
        See(fact.At);
        arrivals.CloseRamp(State);
        var rises = fact.TargetThreads > State.TargetThreads;
        totals.Count(fact.Reason, rises);
        waits.CounterSamples.NewWorkerCounter.Come(fact.TargetThreads - (State.TargetThreads ?? 0));
        switch (fact.Reason)
        {
            case AdjustmentReason.Starvation: injections.Starved(fact, State, start); break;
            case AdjustmentReason.CooperativeBlocking: Compensated(fact, rises); break;
            default: book.Put(Untimed(book.NextNumber(), fact, State.TargetThreads, waits.CounterSamples)); break;
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
        waits.CounterSamples.NewWorkerCounter.Come(pool.Limited(fact, injections.Compensates));
        if (!fact.Stand)
        {
            injections.Limited(fact.At);
            gate.Moved(fact.At, State.TargetThreads);
            if (pool.CountAnew(fact.At, injections.Compensates) is { } due)
            {
                gate.Stepped(fact.At, due);
            }
        }
    }

    public void On(in CountersRead fact)
    {
        See(fact.At);
        var sample = pool.Read(fact);
        waits.CounterSamples.Add(sample);
        totals.QueueLength(sample.QueueLength);
        if (sample.Workers is { } workers)
        {
            totals.Workers(workers);
            pool.Workers(fact.At, workers);
            injections.Counted(fact.At, workers);
        }

        pool.Apply(new PoolInput.Counted(fact.At, null, sample.Cpu, sample.QueueLength > 0 ? true : null));
        waits.Take(sample, State, injections.LastPossibleRise, injections.HighestAt(fact.At, State.Settings));
    }

    public void On(in ProcessorsCounted fact) => Pass(fact);

    public void On(in SwitchSeen fact) => Pass(fact);

    public void On(in ThreadsSuspended fact) => Pass(fact);

    // Process samples come from outside the event stream, so they do not advance the time of the stream.
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

    void Compensated(in TargetThreadsChanged fact, bool rises)
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
        waits.DelayJudgements.DecideWithoutSample(now.MsSince(start));
        arrivals.See(now, State);
    }

    // The entry for a change of the target thread count by hill climbing or by an idle timeout, which no waiting item causes.
    static InjectionDelay Untimed(int number, in TargetThreadsChanged fact, int? targetThreadsBefore, CounterSampleLog samples) => new()
    {
        Number = number,
        StartBasis = Basis.Unknown,
        End = fact.At,
        EndBasis = Basis.Observed,
        Reason = fact.Reason,
        TargetThreadsBefore = targetThreadsBefore,
        TargetThreadsAfter = fact.TargetThreads,
        Verdict = Enum.IsDefined(fact.Reason) ? DelayVerdict.NotTimed : DelayVerdict.NoRule,
        Mechanism = fact.Reason == AdjustmentReason.ThreadTimedOut || !Enum.IsDefined(fact.Reason) ? Mechanism.None : Mechanism.G11Probing,
        Because = DelayReasons.Of(fact.Reason),
        Cpu = samples.CpuAt(fact.At),
        QueueLength = samples.QueueLengthAround(fact.At),
    };
}

/// <summary>Totals over the whole capture, including injection delays that are no longer kept.</summary>
sealed class LedgerTotals : IFactSink
{
    readonly SortedDictionary<AdjustmentReason, int> adjustments = [];
    int compensations;

    ImmutableSortedDictionary<AdjustmentReason, int> Adjustments => adjustments.ToImmutableSortedDictionary();
    int? MaxWorkers { get; set; }
    long? MaxQueueLength { get; set; }

    public LedgerSnapshot AddTo(LedgerSnapshot snapshot) =>
        snapshot with
        {
            Adjustments = Adjustments,
            Compensations = compensations,
            MaxWorkers = MaxWorkers,
            MaxQueueLength = MaxQueueLength
        };

    public void Count(AdjustmentReason reason, bool rises)
    {
        adjustments[reason] = adjustments.GetValueOrDefault(reason) + 1;
        compensations += rises && reason == AdjustmentReason.CooperativeBlocking ? 1 : 0;
    }

    public void On(in WorkerStarted fact) => Workers(fact.Existing);

    public void On(in WorkerStopped fact) => Workers(fact.Existing);

    public void On(in WorkerWaited fact) => Workers(fact.Existing);

    public void Workers(int existing) => MaxWorkers = Math.Max(MaxWorkers ?? 0, existing);

    public void QueueLength(long? items) => MaxQueueLength = items > (MaxQueueLength ?? -1) ? items : MaxQueueLength;
}

/// <summary>Builds the injection delay that has not ended yet, with the next windows in which the pool may add a thread.</summary>
static class OpenDelay
{
    /// <summary>Maximum number of time windows returned.</summary>
    const int MaxWindows = 2;

    /// <summary>
    /// Returns the injection delay that is open since the last rise; null when no item waits or the next windows are not known.
    /// </summary>
    public static InjectionDelay? After(
        EventTime? lastRise, EventTime now, PoolState state, IInjectionPolicy policy, CounterSampleLog samples, int number)
    {
        if (lastRise is not { } rise || samples.Last is not { QueueLength: > 0 } sample || now.MsSince(rise) > Horizon)
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
            TargetThreadsBefore = state.TargetThreads,
            TargetThreadsAfter = state.TargetThreads,
            Windows = windows,
            Verdict = DelayVerdict.Open,
            Mechanism = rule,
            Because = DelayReasons.Next(rule),
            Cpu = sample.Cpu,
            QueueLength = sample.QueueLength,
        };
    }

    static double Horizon => GateTiming.MaxUnseenChecks * GateTiming.AfterHold;

    static (ImmutableArray<DelayWindow> Windows, Mechanism Mechanism) Ahead(
        EventTime rise, EventTime now, PoolState state, IInjectionPolicy policy)
    {
        var windows = ImmutableArray.CreateBuilder<DelayWindow>();
        var rule = Mechanism.None;
        foreach (var (check, known) in policy.ChecksFrom(state).TakeWhile(next => next.Check.At.MsSince(rise) < Horizon))
        {
            if (check.Latest <= now || policy.Decide(known, check) is not { Certainty: not Certainty.Impossible } decision)
            {
                continue;
            }

            windows.Add(new(check.Earliest.MsSince(rise), check.Latest.MsSince(rise)));
            rule = rule == Mechanism.None ? decision.Mechanism : rule;
            if (windows.Count == MaxWindows)
            {
                break;
            }
        }

        return (windows.ToImmutable(), rule);
    }
}

/// <summary>Keeps the state of the pool, which the injection policy computes from the facts, and the settings observed so far.</summary>
sealed class PoolStateTracker : IFactSink
{
    readonly IInjectionPolicy policy;
    readonly PoolSettingsTracker settings;
    SamplesWithoutAdjustment wave = SamplesWithoutAdjustment.From(default);

    public PoolStateTracker(IInjectionPolicy policy, TargetFacts target)
    {
        this.policy = policy;
        settings = new(target);
        State = policy.Start(settings.Current);
    }

    public PoolState State { get; private set; }

    public void Apply(PoolInput input) => State = policy.Apply(State, input);

    /// <summary>Returns a counter sample with processor use as a share of all processors.</summary>
    public CounterSample Read(in CountersRead fact) => CounterTracker.Translate(fact, settings.Processors);

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
        // Worker threads of a busy service become idle thousands of times a second, so an unchanged number must not allocate.
        if (existing != State.Existing)
        {
            Apply(new PoolInput.WorkersSeen(at, existing));
        }
    }

    public void On(in StreamOpened fact)
    {
        settings.HeaderSays(fact.Processors);
        wave = SamplesWithoutAdjustment.From(fact.At);
        Tell(fact.At);
    }

    public void On(in ThroughputSampled fact) => Climbs(fact.At, wave.Sampled());

    /// <summary>Handles an adjustment of the target thread count, for any reason.</summary>
    public void Adjusted(in TargetThreadsChanged fact)
    {
        Climbs(fact.At, SamplesWithoutAdjustment.From(fact.At));
        Apply(new PoolInput.TargetThreadsSeen(fact.At, fact.TargetThreads, fact.Reason));
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

    /// <summary>
    /// Handles a limits event. Either a call set limits and moved the target thread count between these limits without an adjustment event,
    /// or the event only states the current limits.
    /// </summary>
    /// <returns>By how much the target thread count changed; negative after a fall.</returns>
    public int Limited(in LimitsChanged fact, bool compensates)
    {
        settings.Limits(fact.Min, fact.Max);
        wave = SamplesWithoutAdjustment.From(fact.At);
        Tell(fact.At);
        if (fact.Stand)
        {
            return 0;
        }

        var before = State.TargetThreads ?? 0;
        var targetThreads = fact.TargetThreadsAfter(State.TargetThreads, compensates);
        State = State with { TargetThreads = targetThreads };
        return targetThreads - before;
    }

    /// <summary>
    /// Handles a call that sets limits. The pool then counts task waits again, and if any continue, the delay of the next step begins at
    /// the call.
    /// </summary>
    /// <returns>Time at which the next step is due; null when no step is due.</returns>
    public EventTime? CountAnew(EventTime at, bool compensates)
    {
        State = State with
        {
            CooperativeDue = compensates && State.TargetThreads is { } targetThreads
                ? at.PlusMs(CompensationSchedule.DelayAfter(targetThreads, State.Settings))
                : null,
        };
        return State.CooperativeDue;
    }

    /// <summary>Handles a blocking-compensation step that came earlier than the default MinThreads allows.</summary>
    public void RefuteAssumedMin(EventTime at)
    {
        settings.RefuteAssumedMin();
        Tell(at);
    }

    /// <summary>
    /// Handles lost events, which may include adjustments and calls: the target thread count and the limits are then unknown.
    /// </summary>
    public void Lose(EventTime at)
    {
        settings.Lose();
        Climbs(at, SamplesWithoutAdjustment.From(at));
        State = State with { TargetThreads = null, Settings = settings.Current };
    }

    // The settings are applied only when they change, because throughput samples come a hundred times a second.
    void Climbs(EventTime at, SamplesWithoutAdjustment next)
    {
        wave = next;
        if (settings.Climbs(wave))
        {
            Tell(at);
        }
    }

    void Tell(EventTime at) => Apply(new PoolInput.SettingsSeen(at, settings.Current));
}

/// <summary>
/// Processors, MinThreads and MaxThreads as far as known, first from the target's configuration, then from its events. An unknown
/// MinThreads is assumed to be the runtime's default, the processor count, and marked as assumed. An unknown MaxThreads stays unknown.
/// </summary>
sealed class PoolSettingsTracker
{
    /// <summary>Processor count used until the real one is known.</summary>
    const int FewestProcessors = 1;

    const string Prefix = "System.Threading.ThreadPool.";
    const string CpuInterval = "CpuUtilizationIntervalMs";

    /// <summary>The first runtime version whose gate thread measures the time since the last dispatch, not the last dequeue.</summary>
    const int FirstByDispatch = 11;

    readonly bool cooperativeChanged;
    readonly bool climbChanged;
    readonly bool cpuUnread;
    readonly bool byDispatch;
    readonly bool detectorForced;
    int? processors;
    int? min;
    int? max;
    bool minRefuted;
    bool limitsLost;
    bool detectorDisabled;
    EventTime? noRoomSince;

    public PoolSettingsTracker(TargetFacts target)
    {
        (processors, min, max) = (target.Processors.Value, target.MinWorkers.Value, target.MaxWorkers.Value);
        cooperativeChanged = PoolSwitch.CompensationOff(target) is not null
            || target.Settings.Any(s => s.Name.StartsWith(Prefix + "Blocking.", StringComparison.Ordinal));
        climbChanged = target.Settings.Any(s => s.Name.Contains("HillClimbing", StringComparison.Ordinal));
        (detectorDisabled, detectorForced) = PoolSwitch.Of(target, PoolSwitch.DetectorDisabled) is { } detector
            ? (PoolSwitch.IsOn(detector.Value), detector.Source == SettingSource.Environment)
            : (false, false);
        cpuUnread = PoolSwitch.Of(target, CpuInterval) is { } interval && IsZero(interval.Value);
        byDispatch = target.RuntimeMajor >= FirstByDispatch;
    }

    /// <summary>The number of processors; null when unknown.</summary>
    public int? Processors => processors;

    public PoolSettings Current
    {
        get
        {
            var count = processors ?? FewestProcessors;
            return new(count, min ?? count, max, detectorDisabled)
            {
                MinBasis = min is not null ? MinThreadsBasis.Known : minRefuted ? MinThreadsBasis.Refuted : MinThreadsBasis.Assumed,
                CooperativeChanged = cooperativeChanged,
                LimitsLost = limitsLost,
                NoRoomSince = noRoomSince,
                CpuUnread = cpuUnread,
                ByDispatch = byDispatch,
            };
        }
    }

    /// <summary>Takes the machine's processor count from the stream's header, until the runtime's own count arrives.</summary>
    public void HeaderSays(int count) => processors ??= count > 0 ? count : null;

    public void RuntimeCounts(int count) => processors = count;

    public void Limits(int minimum, int maximum) => (min, max, limitsLost, noRoomSince) = (minimum, maximum, false, null);

    /// <summary>
    /// Records since when hill climbing has made no adjustment: the pool is then at its limits, unless a setting changes hill climbing.
    /// </summary>
    /// <returns>Whether the settings changed.</returns>
    public bool Climbs(SamplesWithoutAdjustment wave)
    {
        var before = noRoomSince;
        noRoomSince = wave.IsFlat && !climbChanged ? wave.Since : null;
        return noRoomSince != before;
    }

    /// <summary>
    /// Handles lost events. The observed MinThreads and MaxThreads stay in use until another call is seen, but no delay is judged late on
    /// the basis of these limits.
    /// </summary>
    public void Lose() => limitsLost = true;

    /// <summary>Records that a blocking-compensation step came earlier than the default MinThreads allows.</summary>
    public void RefuteAssumedMin() => minRefuted = true;

    /// <summary>Applies an AppContext switch; an environment variable overrides the switch.</summary>
    public void Switch(string name, bool on) => detectorDisabled |= on && name == Prefix + PoolSwitch.DetectorDisabled && !detectorForced;

    static bool IsZero(string value) => value.Trim() is "0" or "00" or "0x0" or "0X0";
}
