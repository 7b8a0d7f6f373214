using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>Computes the forecast. Takes each fact after the ledger, whose state it reads; uses event time only.</summary>
sealed class ForecastTracker(PoolLedger ledger, IInjectionPolicy policy) : IFactSink
{
    readonly StartDelayForecast queue = new(policy);
    EventTime now;

    /// <summary>The forecast at the newest event.</summary>
    public PoolForecast Snapshot() => new()
    {
        At = now,
        NextInjection = ledger.CounterSamples.Last is { QueueLength: > 0 } && !ledger.IsAtMax
            ? InjectionAhead.Next(policy, Freshest(), now) : null,
        StartDelayOfNewItem = queue.StartDelay,
        QueueEmpty = queue.Gone,
    };

    /// <summary>The case that the queue drains by; null when no item waits.</summary>
    public DrainCase? Drains => queue.Drains;

    public void On(in StreamOpened fact) => now = fact.At;

    public void On(in TargetThreadsChanged fact) => See(fact.At);

    public void On(in ThroughputSampled fact)
    {
        See(fact.At);
        queue.ItemEnded(fact.At);
    }

    public void On(in WorkerStarted fact)
    {
        See(fact.At);
        queue.WorkerStarted(fact.At);
    }

    public void On(in LimitsChanged fact) => See(fact.At);

    public void On(in CountersRead fact)
    {
        See(fact.At);
        if (ledger.CounterSamples.Last is { } sample)
        {
            queue.Take(sample, WithMax(ledger.State, sample));
        }
    }

    // Process samples do not come from the stream, so they do not show how far the stream is complete.
    public void On(in ProcessSampled fact)
    {
    }

    public void On(in ClockSeen fact)
    {
    }

    public void On(in EventsLost fact)
    {
        See(fact.At);
        queue.Forget();
    }

    // An inferred MaxThreads is not among the settings, but it also stops the pool from adding threads.
    PoolState WithMax(PoolState state, CounterSample sample) => ledger.IsAtMax && state.Settings.Max is null && sample.Workers is { } max
        ? state with { Settings = state.Settings with { Max = max } } : state;

    /// <summary>
    /// The state after the last completions: completed items let others start, at a time that only the counter sample bounds.
    /// </summary>
    PoolState Freshest()
    {
        var state = ledger.State;
        return ledger.CounterSamples.Last is { Completed: > 0 } sample && !(state.LastDequeue >= sample.At)
            ? policy.Apply(state, new PoolInput.Dequeued(sample.At))
            : state;
    }

    public void See(EventTime at) => now = EventTime.Max(now, at);
}

/// <summary>
/// Forecasts when an item queued now starts and when the queue is empty. A small simulation drains the queue from the newest counter sample
/// on, with the run time derived from completions; before any completion, with a run time that is certainly not too long. It runs on
/// request only, because most counter samples of a recording are never displayed.
/// </summary>
sealed class StartDelayForecast(IInjectionPolicy policy)
{
    readonly RunTimeTracker runTimes = new();
    CounterSample? before;
    int workedBefore;
    double? arrivals;
    double? arrivalsBefore;
    (CounterSample Sample, PoolState State)? waits;
    Foretold? foretold;

    /// <summary>When an item queued at the last counter sample starts; null when no item waits.</summary>
    public StartDelay? StartDelay => Newest?.StartDelay;

    /// <summary>When the queue is empty; null when no item waits.</summary>
    public QueueEmpty? Gone => Newest?.Gone;

    /// <summary>The case behind both forecasts; null when no item waits.</summary>
    public DrainCase? Drains => Newest?.Drains;

    Foretold? Newest => waits is not { } at ? null
        : foretold ??= runTimes.RunTime is { } run ? Estimate(at.Sample, at.State, run) : BoundBelow(at.Sample, at.State);

    public void WorkerStarted(EventTime at) => runTimes.Started(at);

    /// <summary>A worker thread has just completed an item: hill climbing took a sample or changed the target thread count.</summary>
    public void ItemEnded(EventTime at) => runTimes.Ended(at);

    /// <summary>Handles lost events: the information about busy worker threads is incomplete.</summary>
    public void Forget()
    {
        runTimes.Forget();
        (before, arrivals, arrivalsBefore, waits, foretold) = (null, null, null, null, null);
    }

    /// <summary>Takes a counter sample; <paramref name="state"/> is the state known to the ledger.</summary>
    public void Take(CounterSample sample, PoolState state)
    {
        var existing = sample.Workers ?? state.Existing ?? 0;
        var working = state.TargetThreads is { } targetThreads ? Math.Min(existing, targetThreads) : existing;
        runTimes.Take(sample, working);
        CountArrivals(sample, working);
        foretold = null;
        waits = sample.QueueLength is > 0 && runTimes.Phases.Count > 0 ? (sample, state) : null;
    }

    Foretold Estimate(CounterSample sample, PoolState state, RunTime run)
    {
        DrainCase Lasting(double ms) => Case(sample, state, run with { Ms = ms });
        var drains = Lasting(run.Ms);
        var drained = DrainRun.Of(policy, drains);
        double Delay(double ms) => DrainRun.Of(policy, Lasting(ms)).StartDelayMs;
        // A tiny difference often decides whether the gate thread adds a worker thread, so the median run time need not give the median
        // delay.
        double[] delays = [.. new[] { drained.StartDelayMs, Delay(run.LowMs), Delay(run.HighMs) }.Order()];
        return new(
            new(sample.At, delays[0], delays[2], delays[1], $"{drains.Ahead} An item holds its thread for {Length(run)}. {drains.Rules}"),
            drains.Gone(drained), drains);
    }

    static string Length(RunTime run)
    {
        var (from, to) = (Format.Duration(run.LowMs), Format.Duration(run.HighMs));
        return from == to ? from : $"{from} to {to}";
    }

    Foretold BoundBelow(CounterSample sample, PoolState state)
    {
        var held = Math.Max(1, runTimes.Phases.Max(p => sample.At.MsSince(p.At)));
        DrainCase drains = new(
            sample.At, DrainCase.Working(runTimes.Phases.Select(p => Math.Max(0, held - sample.At.MsSince(p.At))), runTimes.Working),
            held, sample.QueueLength!.Value, state)
        { ArrivalsPerMs = ArrivalsPerMs };
        var bound = DrainRun.Of(policy, drains with { AtEveryCheck = true });
        StartDelay startDelay = new(sample.At, bound.StartDelayMs, null, null,
            $"A lower bound: no item has completed yet. {Format.Plural(drains.QueueLength, "item")} ahead of a new item. "
            + $"{Format.Plural(runTimes.Working, "worker thread")} busy for up to {Format.Duration(held)}, and similar items take at least "
            + $"as long. {(state.IsAtMax ? DrainCase.MaxReached : "The pool adds at most one thread per gate check.")}");
        return new(
            startDelay,
            new(null, Never: false, "No item has completed since items began to wait, so the completion rate is not known."), drains);
    }

    /// <summary>
    /// The case with the time at which each worker thread completes its item for the given run time; evenly spread when the start times are
    /// unknown.
    /// </summary>
    DrainCase Case(CounterSample sample, PoolState state, RunTime run)
    {
        var ms = run.Ms;
        var stepping = runTimes.Phases.Where(p => p.Known && run.InStep).Select(p => sample.At.MsSince(p.At))
            .Select(age => (Math.Floor(age / ms) + 1) * ms - age).ToArray();
        var unknown = runTimes.Phases.Count - stepping.Length;
        var free = stepping.Concat(Enumerable.Range(0, unknown).Select(i => ms * (i + 0.5) / unknown));
        return new(sample.At, DrainCase.Working(free, runTimes.Working), ms, sample.QueueLength!.Value, state)
        {
            ArrivalsPerMs = ArrivalsPerMs,
        };
    }

    /// <summary>Counts the items that arrived since the previous counter sample: the growth of the queue plus the items dequeued.</summary>
    void CountArrivals(CounterSample sample, int working)
    {
        if (before is { QueueLength: { } waited }
            && sample is { QueueLength: { } waits, Completed: { } completed, IntervalMs: > 0 and { } interval })
        {
            var begun = waits > 0 && waited > 0 ? working - workedBefore : 0;
            (arrivalsBefore, arrivals) = (arrivals, Math.Max(0, waits - waited + completed + begun) / interval);
        }

        (before, workedBefore) = (sample, working);
    }

    /// <summary>
    /// The smaller arrival rate of the two newest counter samples: it ignores a single burst and shows the end of arrivals at once.
    /// </summary>
    double ArrivalsPerMs => Math.Min(arrivals ?? 0, arrivalsBefore ?? arrivals ?? 0);

    /// <summary>The forecast from one counter sample on.</summary>
    sealed record Foretold(StartDelay StartDelay, QueueEmpty Gone, DrainCase Drains);
}

/// <summary>Applies the policy to future gate checks under the assumption that only time passes.</summary>
static class InjectionAhead
{
    /// <summary>
    /// The most gate checks ahead. With busy processors the rule takes two checks per worker thread; there is no prediction beyond this
    /// number.
    /// </summary>
    const int MostChecks = 40;

    /// <summary>The most windows shown: only the next two times are useful.</summary>
    const int MostWindows = 2;

    /// <summary>The next injection seen from <paramref name="now"/>, or null when no rule gives its time.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="from">The known state.</param>
    /// <param name="now">Gate checks before this time have passed already.</param>
    public static NextInjection? Next(IInjectionPolicy policy, PoolState from, EventTime now)
    {
        var windows = ImmutableArray.CreateBuilder<EventSpan>();
        (PoolCheck Check, Decision Decision, bool First)? likely = null;
        var isFirst = true;
        foreach (var (check, decision) in Checks(policy, from).TakeWhile(_ => windows.Count < MostWindows))
        {
            if (decision.Certainty != Certainty.Impossible && Window(check) is var window && window.To > now)
            {
                windows.Add(window);
                // At the first check the age is as long as the threshold, to a step of the clock: three times in four the second one adds
                // the thread (tests/SCORES.md).
                var doubt = isFirst && decision.Certainty != Certainty.Certain && check.Kind == GateCheckKind.Periodic;
                likely ??= decision.Kind == DecisionKind.Add && !doubt ? (check, decision, windows.Count == 1) : null;
            }

            isFirst = false;
        }

        return likely is not { } found || found.Decision.Mechanism == Mechanism.G5CooperativeJump ? null
            : new(found.Check.At, windows.ToImmutable(), found.Decision.Mechanism, Condition(found.Check, from.Settings),
                found.Check.Kind == GateCheckKind.CooperativeDelay || (found.First && found.Decision.Certainty == Certainty.Certain));
    }

    /// <summary>The future gate checks and their decisions, if only time passes.</summary>
    static IEnumerable<(PoolCheck Check, Decision Decision)> Checks(IInjectionPolicy policy, PoolState from)
    {
        var nothing = policy.Apply(from, new PoolInput.Counted(from.Now, Completed: false, Cpu: null, Outstanding: true));
        return GateWalk.From(policy, nothing).Take(MostChecks).Select(walked => (walked.Tick, policy.Decide(walked.Before, walked.Tick)));
    }

    /// <summary>The window in which a gate check may run: 20 ms.</summary>
    static EventSpan Window(PoolCheck check) => check.Kind == GateCheckKind.Periodic
        ? new(check.Earliest, check.Latest)
        : new(check.At.PlusMs(-CooperativeSchedule.EarlyMs), check.At.PlusMs(CooperativeSchedule.LateMs));

    static string Condition(PoolCheck check, PoolSettings settings) => (check.Kind, settings.Max) switch
    {
        (GateCheckKind.Periodic, null) => "unless an item is dequeued first or MaxThreads (not known) is reached",
        (GateCheckKind.Periodic, _) => "unless an item is dequeued first",
        (_, null) => "if threads still wait for tasks and MaxThreads (not known) is not reached",
        _ => "if threads still wait for tasks",
    };
}
