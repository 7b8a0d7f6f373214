using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>Computes the forecast and its score. Takes each fact after the ledger, whose state it reads; uses event time only.</summary>
sealed class ForecastTracker(PoolLedger ledger, IInjectionPolicy policy) : IFactSink
{
    readonly PredictionTracker predictions = new(policy, ledger);
    readonly StartDelayForecast queue = new(policy);
    EventTime now;
    int? targetThreads;

    /// <summary>The forecast at the newest event.</summary>
    public PoolForecast Snapshot() => new()
    {
        At = now,
        NextInjection = ledger.CounterSamples.Last is { QueueLength: > 0 } && !ledger.IsAtMax
            ? InjectionAhead.Next(policy, Freshest(), predictions.Lateness, now) : null,
        StartDelayOfNewItem = queue.StartDelay,
        QueueEmpty = queue.Gone,
        Score = predictions.Score,
    };

    /// <summary>The case that the queue drains by; null when no item waits.</summary>
    public DrainCase? Drains => queue.Drains;

    public void On(in StreamOpened fact) => now = fact.At;

    public void On(in TargetThreadsChanged fact)
    {
        See(fact.At);
        predictions.Happened(fact, ledger.State, targetThreads is null || fact.TargetThreads > targetThreads);
        targetThreads = fact.TargetThreads;
    }

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

    public void On(in LimitsChanged fact)
    {
        See(fact.At);
        targetThreads ??= fact.Stand ? null : fact.Min;
    }

    public void On(in CountersRead fact)
    {
        See(fact.At);
        if (ledger.CounterSamples.Last is { } sample)
        {
            queue.Take(sample, WithMax(ledger.State, sample));
            predictions.Covered(sample.At);
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
        predictions.Lose();
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

/// <summary>
/// Predicts at each injection when the next one comes, using only that fact and earlier ones, and scores the prediction later: the counter
/// sample that covers the time between shows whether the condition held.
/// </summary>
sealed class PredictionTracker(IInjectionPolicy policy, PoolLedger ledger)
{
    /// <summary>
    /// How long the stream takes to deliver an adjustment, milliseconds (median 101 and 95th percentile 102 ms of many). No reader of the
    /// stream can predict an earlier injection.
    /// </summary>
    public const double DeliveryMs = 102;

    /// <summary>The number of further gate checks without a new worker thread until a prediction is closed.</summary>
    const int PatienceChecks = 4;

    /// <summary>The constant answer, in gate checks, to compare predictions with: it is right for three injection delays in four.</summary>
    const int ConstantAnswer = 2;

    readonly List<(Prediction Prediction, EventTime Came)> unsettled = [];
    Prediction? standing;
    EventTime? lastCheck;

    /// <summary>The score of the predictions so far.</summary>
    public ForecastScore Score { get; private set; } = ForecastScore.None;

    /// <summary>How late the gate checks of this target run.</summary>
    public CheckLateness Lateness { get; } = new();

    /// <summary>Handles a change of the target thread count; <paramref name="state"/> is the state of the ledger after it.</summary>
    public void Happened(in TargetThreadsChanged fact, PoolState state, bool rises)
    {
        var kind = fact.Reason switch
        {
            AdjustmentReason.Starvation => GateCheckKind.Periodic,
            AdjustmentReason.CooperativeBlocking when rises => GateCheckKind.CooperativeDelay,
            _ => (GateCheckKind?)null,
        };
        Settle(fact, kind);
        lastCheck = kind == GateCheckKind.Periodic ? fact.At : null;
        // An added thread shows that no inferred MaxThreads was reached; a known one is among the settings.
        var next = kind is null ? null : InjectionAhead.Next(policy, state, Lateness, fact.At);
        // After a gate check, "no check adds a thread" is also a prediction; after a blocking-compensation step it is not.
        standing = next is null && kind != GateCheckKind.Periodic ? null : new(fact.At, next);
    }

    /// <summary>Takes a counter sample: predictions that it covers are scored.</summary>
    public void Covered(EventTime at)
    {
        foreach (var (prediction, came) in unsettled.Where(one => one.Came <= at))
        {
            Count(prediction, Judge(prediction, came), came);
        }

        unsettled.RemoveAll(one => one.Came <= at);
        if (standing is { Next: { } next } open && at.MsSince(next.At) > PatienceChecks * GateTiming.AfterHold)
        {
            Count(open, OfNoWorker(open.Made, next, at));
            standing = null;
        }
    }

    /// <summary>Handles lost events: open predictions can no longer be scored.</summary>
    public void Lose()
    {
        Score = Score with { Unknown = Score.Unknown + unsettled.Count + One(standing is { Next: not null }) };
        unsettled.Clear();
        (standing, lastCheck) = (null, null);
    }

    void Settle(in TargetThreadsChanged fact, GateCheckKind? kind)
    {
        if (kind == GateCheckKind.Periodic && lastCheck is { } last
            && fact.At.MsSince(last) <= GateTiming.MaxUnseenChecks * GateTiming.AfterHold)
        {
            Lateness.Take(ChecksBetween(last, fact.At), fact.At.MsSince(last));
        }

        if (standing is not { } open)
        {
            return;
        }

        if (open.Next is null ? kind == GateCheckKind.Periodic : kind is not null
            && open.IsStep == (kind == GateCheckKind.CooperativeDelay))
        {
            unsettled.Add((open, fact.At));
        }
        else if (open.Next is not null)
        {
            Count(open, PredictionOutcome.ConditionNotMet);
        }
    }

    static int ChecksBetween(EventTime from, EventTime to) =>
        1 + (int)Math.Round((to.MsSince(from) - GateTiming.AfterInjection) / GateTiming.AfterHold);

    PredictionOutcome Judge(Prediction prediction, EventTime came)
    {
        var span = new EventSpan(prediction.Made, came);
        var completed = ledger.CounterSamples.MayHaveCompleted(span.From, span.To);
        return completed is null ? PredictionOutcome.Unknown
            : completed.Value || ledger.DidNotRun(span) ? PredictionOutcome.ConditionNotMet
            : prediction.Next is not { } next ? PredictionOutcome.Missed
            : next.At.MsSince(prediction.Made) <= DeliveryMs ? PredictionOutcome.NotForeseeable
            : IsRight(prediction, next, came) ? PredictionOutcome.Right
            : PredictionOutcome.Wrong;
    }

    static bool IsRight(Prediction prediction, NextInjection next, EventTime came) => prediction.IsStep
        ? came.MsSince(next.At) is >= -CooperativeSchedule.EarlyMs and <= CooperativeSchedule.LateMs
        : ChecksBetween(prediction.Made, came) == ChecksBetween(prediction.Made, next.At);

    /// <summary>
    /// The outcome when no worker thread came for a long time: either the condition did not hold, or the predicted injection was wrong.
    /// </summary>
    PredictionOutcome OfNoWorker(EventTime made, NextInjection next, EventTime at)
    {
        var completed = ledger.CounterSamples.MayHaveCompleted(made, next.At);
        var waits = ledger.CounterSamples.CounterSamples.Where(b => b.At >= made && b.At <= at).All(b => b.QueueLength > 0);
        return completed is null ? PredictionOutcome.Unknown
            : completed.Value || !waits || ledger.State.Settings.Max is null || ledger.DidNotRun(new(made, at))
                ? PredictionOutcome.ConditionNotMet
            : PredictionOutcome.Invented;
    }

    void Count(Prediction prediction, PredictionOutcome outcome, EventTime? came = null) => Score = outcome switch
    {
        PredictionOutcome.NotForeseeable => Score with { NotForeseeable = Score.NotForeseeable + 1 },
        PredictionOutcome.ConditionNotMet => Score with { ConditionNotMet = Score.ConditionNotMet + 1 },
        PredictionOutcome.Unknown => Score with { Unknown = Score.Unknown + 1 },
        PredictionOutcome.Invented => Score with { Invented = Score.Invented + 1 },
        PredictionOutcome.Missed => Score with { Missed = Score.Missed + 1 },
        _ when prediction.IsStep =>
            Score with { Steps = new(Score.Steps.Made + 1, Score.Steps.Right + One(outcome == PredictionOutcome.Right)) },
        _ => Score with { Ticks = Counted(prediction, outcome == PredictionOutcome.Right, ChecksBetween(prediction.Made, came!.Value)) },
    };

    CheckScore Counted(Prediction prediction, bool right, int checks)
    {
        var (sure, two) = (prediction.Next!.Sure, checks == ConstantAnswer);
        return new(
            Score.Ticks.Made + 1, Score.Ticks.Right + One(right), Score.Ticks.SureMade + One(sure),
            Score.Ticks.SureRight + One(sure && right), Score.Ticks.ConstantTwoRight + One(two));
    }

    static int One(bool yes) => yes ? 1 : 0;

    /// <summary>The prediction made after one injection; <c>Next</c> is null when no further thread is expected.</summary>
    sealed record Prediction(EventTime Made, NextInjection? Next)
    {
        public bool IsStep => Next?.Mechanism == Mechanism.G4CooperativeStep;
    }
}

/// <summary>Applies the policy to future gate checks under the assumption that only time passes.</summary>
static class InjectionAhead
{
    /// <summary>
    /// The most gate checks ahead. With busy processors the rule takes two checks per worker thread; there is no prediction beyond this
    /// number.
    /// </summary>
    const int MostTicks = 40;

    /// <summary>The most windows shown: only the next two times are useful.</summary>
    const int MostWindows = 2;

    /// <summary>
    /// The chance from which a prediction is called sure, once enough gate checks of this machine are known. On a quiet machine 69 of 182
    /// predictions were sure, and 67 of them right; in the others, checks ran some milliseconds late.
    /// </summary>
    const double Sure = 0.97;

    /// <summary>
    /// The chance from which the first gate check is predicted; otherwise the second one, which is the usual one. Chosen from 0.5, 0.6,
    /// 0.7, 0.8 and 0.9 on one half of the stored runs; tests/SCORES.md has the results for the other half.
    /// </summary>
    const double FirstCheckFrom = 0.6;

    static (int Number, bool Sure) Likeliest(IInjectionPolicy policy, PoolState from, CheckLateness late)
    {
        var chances = Chances(policy, from, late);
        var most = chances.Max();
        var number = chances.IndexOf(most) + 1;
        if (number == 1 && most < FirstCheckFrom)
        {
            (number, most) = (2, chances[1]);
        }

        return (number, most >= Sure && late.IsKnown && number <= GateTiming.MaxUnseenChecks);
    }

    /// <summary>
    /// The chance of each future gate check to add the worker thread. Each of the newest observed latenesses has equal weight, and within
    /// one of them all checks are equally late.
    /// </summary>
    static List<double> Chances(IInjectionPolicy policy, PoolState from, CheckLateness late)
    {
        var chances = Enumerable.Repeat(0.0, MostTicks).ToList();
        foreach (var ms in late.SeenMs)
        {
            var left = 1.0 / late.SeenMs.Count;
            foreach (var (number, _, decision) in Ticks(policy, late.Late(from, ms)).TakeWhile(_ => left > Negligible))
            {
                var chance = decision.Chance;
                chances[number - 1] += left * chance;
                left *= 1 - chance;
            }
        }

        return chances;
    }

    /// <summary>The remaining chance below which further gate checks are ignored.</summary>
    const double Negligible = 0.001;

    /// <summary>The future gate checks, numbered from 1, and their decisions, if only time passes.</summary>
    static IEnumerable<(int Number, PoolCheck Tick, Decision Decision)> Ticks(IInjectionPolicy policy, PoolState from)
    {
        var nothing = policy.Apply(from, new PoolInput.Counted(from.Now, Completed: false, Cpu: null, Outstanding: true));
        return GateWalk.From(policy, nothing).Take(MostTicks)
            .Select((walked, index) => (index + 1, walked.Tick, policy.Decide(walked.Before, walked.Tick)));
    }

    /// <summary>The next injection seen from <paramref name="now"/>, or null when no rule gives its time.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="from">The known state.</param>
    /// <param name="late">How late the gate checks run.</param>
    /// <param name="now">Gate checks before this time have passed already.</param>
    public static NextInjection? Next(IInjectionPolicy policy, PoolState from, CheckLateness late, EventTime now)
    {
        var windows = ImmutableArray.CreateBuilder<EventSpan>();
        (PoolCheck Tick, Mechanism Mechanism, bool Sure)? likely = null;
        var hasPassed = false;
        var (most, sure) = Likeliest(policy, from, late);
        foreach (var (number, check, decision) in Ticks(policy, late.Late(from, late.UsualMs)).TakeWhile(_ => windows.Count < MostWindows))
        {
            if (decision.Possible && Window(check) is var window && window.To > now)
            {
                windows.Add(window);
                // If the most likely gate check has passed, the first one with a chance above one half is used.
                likely ??= number == most || hasPassed && decision.Chance > 0.5 ? (check, decision.Mechanism, sure && !hasPassed) : null;
            }
            else if (number >= most)
            {
                hasPassed = true;
            }
        }

        return likely is not { } found || found.Mechanism == Mechanism.G5CooperativeJump ? null
            : new(found.Tick.At, windows.ToImmutable(), found.Mechanism, Condition(found.Tick, from.Settings),
                found.Tick.Kind == GateCheckKind.CooperativeDelay || found.Sure);
    }

    /// <summary>The window in which a gate check may run: 20 ms.</summary>
    public static EventSpan Window(PoolCheck check) => check.Kind == GateCheckKind.Periodic
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

/// <summary>
/// Measures how much later the gate checks of this target run than on the quiet machine that was measured. In a process that keeps its
/// processors busy, each check runs 10 to 80 ms late, repeatedly, and that alone decides whether the first check after an injection adds
/// the next worker thread.
/// </summary>
sealed class CheckLateness
{
    /// <summary>
    /// The number of observations kept: few enough to follow a change, enough to ignore one late wake-up and to show the scatter.
    /// </summary>
    const int Newest = 9;

    /// <summary>
    /// The newest observations, milliseconds. It starts with the 0 of the measured machine, so that one late check alone changes nothing.
    /// </summary>
    readonly Queue<double> seen = new([0]);

    /// <summary>With fewer observations, one may be the exception.</summary>
    const int EnoughToKnow = 3;

    /// <summary>The standard deviation divided by the width of the middle half, for a normal distribution.</summary>
    const double OfMiddleHalf = 0.74;

    double scatterMs = GateTiming.ScatterMs;

    /// <summary>The usual lateness of a gate check, milliseconds; 0 before any observation.</summary>
    public double UsualMs { get; private set; }

    /// <summary>Whether enough gate checks were observed to know how late those of this machine run.</summary>
    public bool IsKnown => seen.Count > EnoughToKnow;

    /// <summary>The newest observations, milliseconds.</summary>
    public IReadOnlyCollection<double> SeenMs => seen;

    /// <summary>
    /// Records that two injections were <paramref name="ms"/> milliseconds and <paramref name="checks"/> gate checks apart.
    /// </summary>
    public void Take(int checks, double ms)
    {
        seen.Enqueue((ms - Nominal(checks)) / checks);
        if (seen.Count > Newest)
        {
            seen.Dequeue();
        }

        var sorted = seen.Order().ToArray();
        UsualMs = sorted[(sorted.Length - 1) / 2];
        // The middle half is used, so that one very late wake-up does not change the scatter.
        scatterMs = Math.Max(GateTiming.ScatterMs, (sorted[(sorted.Length - 1) * 3 / 4] - sorted[(sorted.Length - 1) / 4]) * OfMiddleHalf);
    }

    /// <summary>The state with gate checks that run <paramref name="byMs"/> milliseconds later, with the observed scatter.</summary>
    public PoolState Late(PoolState state, double byMs) =>
        state with { CheckPeriodMs = state.CheckPeriodMs + byMs, CheckScatterMs = scatterMs };

    static double Nominal(int checks) => GateTiming.AfterInjection + (checks - 1) * GateTiming.AfterHold;
}
