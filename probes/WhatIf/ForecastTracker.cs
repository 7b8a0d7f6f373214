using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.WhatIf;

/// <summary>Computes the forecast from facts. The ledger must receive each fact first, because the forecast reads the ledger.</summary>
sealed class ForecastTracker(PoolLedger ledger, IInjectionPolicy policy) : IFactSink
{
    readonly StartDelayForecast queue = new(policy);
    EventTime now;

    /// <summary>Returns the forecast at the time of the newest fact.</summary>
    public PoolForecast Snapshot() => new()
    {
        At = now,
        NextInjection = ledger.CounterSamples.Last is { QueueLength: > 0 } && !ledger.IsAtMax
            ? InjectionAhead.Next(policy, Freshest(), now) : null,
        StartDelayOfNewItem = queue.StartDelay,
        QueueEmpty = queue.Gone,
    };

    /// <summary>The queue and the worker threads from which the simulation begins; null when no item waits.</summary>
    public QueueDrainState? Drains => queue.Drains;

    public void On(in StreamOpened fact) => now = fact.At;

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

    public void On(in CountersRead fact)
    {
        See(fact.At);
        if (ledger.CounterSamples.Last is { } sample)
        {
            queue.Take(sample, WithMax(ledger.State, sample));
        }
    }

    public void On(in EventsLost fact)
    {
        See(fact.At);
        queue.Forget();
    }

    // Adds an inferred MaxThreads to the settings, so that the policy adds no thread above it.
    PoolState WithMax(PoolState state, CounterSample sample) => ledger.IsAtMax && state.Settings.Max is null && sample.Workers is { } max
        ? state with { Settings = state.Settings with { Max = max } } : state;

    /// <summary>Returns the ledger's state. If items completed before the newest counter sample, adds a dequeue at the sample.</summary>
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
/// Forecasts when an item queued now starts and when the queue is empty. A small simulation starts with the queue at the newest counter
/// sample. The run time of an item is derived from completions; before the first one, a lower bound is used. The simulation runs only on
/// request, because most counter samples of a recording are never displayed.
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

    /// <summary>Queue time of an item queued at the newest counter sample; null when no item waits.</summary>
    public QueueTimeForecast? StartDelay => Newest?.StartDelay;

    /// <summary>When the queue is empty; null when no item waits.</summary>
    public QueueEmpty? Gone => Newest?.Gone;

    /// <summary>The queue and the worker threads from which both forecasts begin; null when no item waits.</summary>
    public QueueDrainState? Drains => Newest?.Drains;

    Foretold? Newest => waits is not { } at ? null
        : foretold ??= runTimes.RunTime is { } run ? Estimate(at.Sample, at.State, run) : BoundBelow(at.Sample, at.State);

    public void WorkerStarted(EventTime at) => runTimes.Started(at);

    /// <summary>Records that an item has just completed, which an event of hill climbing shows.</summary>
    public void ItemEnded(EventTime at) => runTimes.Ended(at);

    /// <summary>Starts again after lost events, because it is no longer known which worker threads are busy.</summary>
    public void Forget()
    {
        runTimes.Forget();
        (before, arrivals, arrivalsBefore, waits, foretold) = (null, null, null, null, null);
    }

    /// <summary>Handles a counter sample; <paramref name="state"/> is the ledger's state.</summary>
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
        QueueDrainState Lasting(double ms) => Case(sample, state, run with { Ms = ms });
        var drains = Lasting(run.Ms);
        var drained = PoolSimulator.Drain(policy, drains);
        double Delay(double ms) => PoolSimulator.Drain(policy, Lasting(ms)).StartDelayMs;
        // A tiny difference often decides whether the gate thread adds a worker thread, so the median run time may not give the median
        // delay.
        double[] delays = [.. new[] { drained.StartDelayMs, Delay(run.LowMs), Delay(run.HighMs) }.Order()];
        return new(
            new(sample.At, delays[0], delays[2], delays[1], drains.Basis(ForecastWords.Held(run.LowMs, run.HighMs))),
            drains.Gone(drained), drains);
    }

    Foretold BoundBelow(CounterSample sample, PoolState state)
    {
        var held = Math.Max(1, runTimes.Phases.Max(p => sample.At.MsSince(p.At)));
        QueueDrainState drains = new(
            sample.At, QueueDrainState.Working(runTimes.Phases.Select(p => Math.Max(0, held - sample.At.MsSince(p.At))), runTimes.Working),
            held, sample.QueueLength!.Value, state)
        { ArrivalsPerMs = ArrivalsPerMs };
        var bound = PoolSimulator.Drain(policy, drains with { AtEveryCheck = true });
        QueueTimeForecast startDelay = new(sample.At, bound.StartDelayMs, null, null,
            ForecastWords.LowerBound(drains.QueueLength, runTimes.Working, held, state.IsAtMax));
        return new(startDelay, new(null, Never: false, ForecastWords.NoRate), drains);
    }

    /// <summary>
    /// Returns the start of the simulation for a given run time, with the time at which each worker thread completes its item. If it is not
    /// known when threads began their items, these times are evenly spread.
    /// </summary>
    QueueDrainState Case(CounterSample sample, PoolState state, RunTime run)
    {
        var ms = run.Ms;
        var stepping = runTimes.Phases.Where(p => p.Known && run.InStep).Select(p => sample.At.MsSince(p.At))
            .Select(age => (Math.Floor(age / ms) + 1) * ms - age).ToArray();
        var unknown = runTimes.Phases.Count - stepping.Length;
        var free = stepping.Concat(Enumerable.Range(0, unknown).Select(i => ms * (i + 0.5) / unknown));
        return new(sample.At, QueueDrainState.Working(free, runTimes.Working), ms, sample.QueueLength!.Value, state)
        {
            ArrivalsPerMs = ArrivalsPerMs,
        };
    }

    /// <summary>Computes the arrival rate since the previous counter sample: growth of the queue plus dequeued items.</summary>
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
    /// Number of arriving items per millisecond: the smaller rate of the two newest intervals, which leaves out a single burst.
    /// </summary>
    double ArrivalsPerMs => Math.Min(arrivals ?? 0, arrivalsBefore ?? arrivals ?? 0);

    /// <summary>The forecasts from one counter sample, and the queue and worker threads from which they start.</summary>
    sealed record Foretold(QueueTimeForecast StartDelay, QueueEmpty Gone, QueueDrainState Drains);
}

/// <summary>Finds the next injection by applying the policy to future gate checks, assuming that only time passes.</summary>
static class InjectionAhead
{
    /// <summary>
    /// Maximum number of future gate checks examined; later injections are not predicted. With busy processors, an injection takes two
    /// checks per worker thread.
    /// </summary>
    const int MostChecks = 40;

    /// <summary>Maximum number of returned time windows, in each of which a gate check may add a thread.</summary>
    const int MostWindows = 2;

    /// <summary>Returns the next injection; null if none can be predicted. Skips gate checks before <paramref name="now"/>.</summary>
    public static NextInjection? Next(IInjectionPolicy policy, PoolState from, EventTime now)
    {
        var windows = ImmutableArray.CreateBuilder<EventSpan>();
        (InjectionCheck Check, Decision Decision, bool First)? likely = null;
        var isFirst = true;
        foreach (var (check, decision) in Checks(policy, from).TakeWhile(_ => windows.Count < MostWindows))
        {
            if (decision.Certainty != Certainty.Impossible && Window(check) is var window && window.To > now)
            {
                windows.Add(window);
                // If the first check is not certain, the time since the last dequeue is within a clock step of the threshold. Three times
                // in four, only the second check adds the thread (tests/SCORES.md).
                var doubt = isFirst && decision.Certainty != Certainty.Certain && check.Kind == GateWakeReason.Periodic;
                likely ??= decision.Kind == DecisionKind.Add && !doubt ? (check, decision, windows.Count == 1) : null;
            }

            isFirst = false;
        }

        return likely is not { } found || found.Decision.Mechanism == Mechanism.G5CooperativeJump ? null
            : new(found.Check.At, windows.ToImmutable(), found.Decision.Mechanism,
                ForecastWords.Condition(found.Check.Kind == GateWakeReason.Periodic, from.Settings.Max is not null),
                found.Check.Kind == GateWakeReason.CooperativeDelay || (found.First && found.Decision.Certainty == Certainty.Certain));
    }

    /// <summary>Returns the future gate checks, each with the policy's decision when nothing but time passes.</summary>
    static IEnumerable<(InjectionCheck Check, Decision Decision)> Checks(IInjectionPolicy policy, PoolState from)
    {
        var nothing = policy.Apply(from, new PoolInput.Counted(from.Now, Completed: false, Cpu: null, Outstanding: true));
        return policy.ChecksFrom(nothing).Take(MostChecks).Select(walked => (walked.Check, policy.Decide(walked.Before, walked.Check)));
    }

    /// <summary>Returns the time window in which a gate check may run, about 20 ms.</summary>
    static EventSpan Window(InjectionCheck check) => check.Kind == GateWakeReason.Periodic
        ? new(check.Earliest, check.Latest)
        : new(check.At.PlusMs(-CompensationSchedule.EarlyMs), check.At.PlusMs(CompensationSchedule.LateMs));
}

/// <summary>
/// Estimates the run time of an item while items wait and thus all worker threads are busy. The estimate uses when each thread began an
/// item, and how many items have completed since. It starts again when the queue was empty.
/// </summary>
sealed class RunTimeTracker
{
    /// <summary>Maximum number of counter samples kept: one minute at one per second. With more, the older half is dropped.</summary>
    const int MostSamples = 60;

    /// <summary>Maximum number of thread starts kept until the next counter sample, more than a pool starts in that time.</summary>
    const int MostStarts = 4096;

    /// <summary>Maximum difference, milliseconds, at which two run times count as equal: a sleep may end late.</summary>
    const double SameMs = 2;

    readonly List<EventTime> starts = [];
    readonly List<ItemStart> phases = [];
    readonly List<CompletedUpTo> counts = [];
    EventTime? firstEnd;
    EventTime? lastSample;
    bool fresh;

    /// <summary>Estimated run time of an item; null before the first completion.</summary>
    public RunTime? RunTime { get; private set; }

    /// <summary>When each busy worker thread began an item. Since then, the thread has begun others at multiples of the run time.</summary>
    public IReadOnlyList<ItemStart> Phases => phases;

    /// <summary>Number of busy worker threads at the newest counter sample.</summary>
    public int Working { get; private set; }

    public void Started(EventTime at)
    {
        if (starts.Count == MostStarts)
        {
            starts.Clear();
        }

        starts.Add(at);
    }

    /// <summary>Records that an item completed at exactly this time.</summary>
    public void Ended(EventTime at) => firstEnd ??= at;

    /// <summary>
    /// Handles a counter sample. <paramref name="working"/> is the number of worker threads, limited to the target thread count.
    /// </summary>
    public void Take(CounterSample sample, int working)
    {
        if (sample is not { QueueLength: > 0 } || working == 0)
        {
            Forget();
        }
        else if (counts.Count == 0)
        {
            Begin(sample, working);
        }
        else
        {
            phases.AddRange(starts.Select(s => new ItemStart(s, Known: true)));
            Count(sample, working);
        }

        starts.Clear();
        lastSample = sample.At;
    }

    /// <summary>Starts again because no item waits or the counts are not complete.</summary>
    public void Forget()
    {
        phases.Clear();
        counts.Clear();
        starts.Clear();
        (firstEnd, lastSample, fresh, RunTime) = (null, null, false, null);
    }

    /// <summary>
    /// Starts to count at the first counter sample with waiting items. Threads that started since the previous sample began with these
    /// items. Other threads began an item at an unknown time between the samples; their completions may be of older items.
    /// </summary>
    void Begin(CounterSample sample, int working)
    {
        var begun = starts.TakeLast(working).ToArray();
        var middle = lastSample?.PlusMs(sample.At.MsSince(lastSample.Value) / 2);
        phases.AddRange(Enumerable.Repeat(new ItemStart(middle ?? sample.At, Known: middle is not null), working - begun.Length));
        phases.AddRange(begun.Select(s => new ItemStart(s, Known: true)));
        fresh = begun.Length == working;
        if (firstEnd <= begun.FirstOrDefault(sample.At))
        {
            // A completion before the first of these starts belongs to an earlier item.
            firstEnd = null;
        }

        if (fresh)
        {
            counts.Add(new(begun[0], 0, working));
            Count(sample, working);
        }
        else
        {
            counts.Add(new(sample.At, 0, working));
            Working = working;
        }
    }

    void Count(CounterSample sample, int working)
    {
        Working = working;
        counts.Add(new(sample.At, counts[^1].Completed + (sample.Completed ?? 0), working));
        // Adds busy worker threads whose start was not observed, so that it is unknown when they began.
        while (phases.Count < working)
        {
            phases.Add(new(sample.At, Known: false));
        }

        RunTime = RunTimeFit.Of(phases, counts) is { } fit ? OfFirstItem(fit) ?? fit : RunTime;
        if (RunTime is { } known && counts.Count > MostSamples)
        {
            DropOlderHalf(known.Ms);
        }
    }

    /// <summary>
    /// Returns the run time of the first item, to the millisecond: from its start to the first event of hill climbing, which is sent when
    /// an item completes. Null if some threads began before the waiting items, or if the result contradicts the counter samples.
    /// </summary>
    RunTime? OfFirstItem(RunTime fit)
    {
        if (!fit.InStep || !fresh || firstEnd is not { } end || counts.Exists(c => c.Completed > 0 && c.At < end))
        {
            return null;
        }

        var ms = end.MsSince(phases.Min(p => p.At));
        var low = Math.Max(ms - SameMs, ms / 2);
        return ms >= fit.LowMs - SameMs && ms <= fit.HighMs + SameMs ? new(ms, low, ms + SameMs, InStep: true) : null;
    }

    /// <summary>Drops the older half of the counts. Moves item starts into the remaining time by multiples of the run time.</summary>
    void DropOlderHalf(double runMs)
    {
        fresh = false;
        counts.RemoveRange(0, counts.Count / 2);
        var from = counts[0].At;
        for (var i = 0; i < phases.Count; i++)
        {
            var items = Math.Floor(from.MsSince(phases[i].At) / runMs);
            phases[i] = items > 0 ? phases[i] with { At = phases[i].At.PlusMs(items * runMs) } : phases[i];
        }
    }
}

/// <summary>
/// Finds the run time that explains the completions best. While items wait, each worker thread takes another item as soon as one completes.
/// So a thread that began at s has completed ⌊(t − s) / run time⌋ items by t. Unlike a rate, this number is exact even if a counter sample
/// just misses a burst of completions. Median errors are 6 % instead of 19 % for the start delay, and 10 % instead of 50 % for the time
/// until the queue is empty. If run times differ, or items complete one after another at a lock, (t − s) / run time without rounding
/// (Little's law) fits better.
/// </summary>
sealed class RunTimeFit
{
    /// <summary>Maximum number of groups of worker threads with similar start times; keeps a fit well under a millisecond.</summary>
    const int MostGroups = 64;

    /// <summary>Number of run times tried first, on a logarithmic scale down to the longest divided by <see cref="Shortest"/>.</summary>
    const int Tries = 60;
    const double Shortest = 8;

    /// <summary>Number of run times that are tried next, around the best ones.</summary>
    const int FinerTries = 20;

    /// <summary>
    /// Longest run time that is tried, as a multiple of the result of Little's law. That result is usually too large, because running items
    /// do not count as completed. By chance, it may be a little too small.
    /// </summary>
    const double AboveLittle = 1.3;

    /// <summary>Run times count as equally good if their error is at most this multiple of the smallest error.</summary>
    const double AsGood = 1.02;

    /// <summary>Difference of two errors that counts as a rounding error.</summary>
    const double SameCount = 1e-9;

    readonly (double At, int Significance, bool Known)[] groups;
    readonly (double At, double Completed, double Share, double BusyMs)[] counts;

    RunTimeFit(IReadOnlyList<ItemStart> phases, IReadOnlyList<CompletedUpTo> seen)
    {
        var origin = seen[0].At;
        groups = Group([.. phases.Select(p => (p.At.MsSince(origin), 1, p.Known)).Order()]);
        counts = new (double, double, double, double)[seen.Count];
        var (total, busy) = (0.0, 0.0);
        for (var i = 0; i < seen.Count; i++)
        {
            var at = seen[i].At.MsSince(origin);
            var (begun, next) = Begun(at);
            var share = begun > seen[i].Working ? (double)seen[i].Working / begun : 1;
            busy += i == 0 ? 0 : (next - total) * share;
            total = next;
            counts[i] = (at, seen[i].Completed - seen[0].Completed, share, busy);
        }
    }

    (int Workers, double BusyMs) Begun(double at) => (
        groups.Where(group => group.At < at).Sum(group => group.Significance),
        groups.Sum(group => group.Significance * Math.Max(0, at - group.At)));

    /// <summary>Returns the run time that fits best; null if no item has completed.</summary>
    /// <param name="phases">When each busy worker thread began an item.</param>
    /// <param name="seen">How many items had completed by each counter sample.</param>
    public static RunTime? Of(IReadOnlyList<ItemStart> phases, IReadOnlyList<CompletedUpTo> seen)
    {
        if (phases.Count == 0 || seen.Count < 2 || seen[^1].Completed <= seen[0].Completed)
        {
            return null;
        }

        var fit = new RunTimeFit(phases, seen);
        return fit.counts[^1].BusyMs > 0 ? fit.Best() : null;
    }

    static (double, int, bool)[] Group((double At, int Significance, bool Known)[] sorted)
    {
        var size = (sorted.Length + MostGroups - 1) / MostGroups;
        return size <= 1 ? sorted
            : [.. sorted.Chunk(size).Select(c => (c.Average(p => p.At), c.Length, c.Count(p => p.Known) * 2 >= c.Length))];
    }

    /// <summary>Returns the run time by the better model, with or without rounding. Its relative error is 1/√n for n completions.</summary>
    RunTime Best()
    {
        var little = counts[^1].BusyMs / counts[^1].Completed;
        var (low, high) = InStep(little * AboveLittle);
        var middle = (low + high) / 2;
        var doubt = 1 + 1 / Math.Sqrt(counts[^1].Completed);
        return counts.Sum(c => Math.Abs(c.BusyMs / little - c.Completed)) < Cost(middle, double.PositiveInfinity)
            ? new(little, little / doubt, little * doubt, InStep: false)
            : new(middle, low / doubt, high * doubt, InStep: true);
    }

    /// <summary>Returns the smallest and the largest of the run times, milliseconds, that fit best by the model with rounding.</summary>
    (double Low, double High) InStep(double longest)
    {
        var (low, high) = Plateau(Enumerable.Range(0, Tries + 1).Select(i => longest * Math.Pow(Shortest, (double)i / Tries - 1)));
        var step = low * (Math.Pow(Shortest, 1.0 / Tries) - 1);
        var (from, width) = (low - step, high - low + 2 * step);
        return Plateau(Enumerable.Range(0, FinerTries + 1).Select(i => from + width * i / FinerTries));
    }

    (double Low, double High) Plateau(IEnumerable<double> tries)
    {
        var (costs, best) = (new List<(double Ms, double Cost)>(), double.PositiveInfinity);
        foreach (var ms in tries.Where(ms => ms > 0))
        {
            var cost = Cost(ms, best * AsGood + SameCount);
            best = Math.Min(best, cost);
            costs.Add((ms, cost));
        }

        var good = costs.Where(c => c.Cost <= best * AsGood + SameCount).ToArray();
        return (good.Min(c => c.Ms), good.Max(c => c.Ms));
    }

    /// <summary>
    /// Returns the error of a run time: the differences of computed and counted completions, summed over the counter samples. The sum is
    /// not completed once it exceeds <paramref name="enough"/>.
    /// </summary>
    double Cost(double ms, double enough)
    {
        var (cost, done, before) = (0.0, 0.0, 0.0);
        for (var i = 0; i < counts.Length && cost <= enough; i++)
        {
            var total = 0.0;
            foreach (var (at, weight, known) in groups)
            {
                if (at < counts[i].At)
                {
                    var items = (counts[i].At - at) / ms;
                    total += weight * (known ? Math.Floor(items) : items);
                }
            }

            done += i == 0 ? 0 : (total - before) * counts[i].Share;
            before = total;
            cost += Math.Abs(done - counts[i].Completed);
        }

        return cost;
    }
}

/// <summary>For how long an item holds its worker thread, estimated from completions.</summary>
/// <param name="Ms">Middle of the run times that explain the completions equally well, milliseconds.</param>
/// <param name="LowMs">The smallest of these run times, milliseconds, less the uncertainty.</param>
/// <param name="HighMs">The largest of these run times, milliseconds, plus the uncertainty.</param>
/// <param name="InStep">Whether completions follow the starts, because items run about equally long. Otherwise, it is not known when
/// threads began their current items.</param>
sealed record RunTime(double Ms, double LowMs, double HighMs, bool InStep);

/// <summary>When a busy worker thread began an item.</summary>
/// <param name="At">The time.</param>
/// <param name="Known">Whether the time is known; false for a thread that was already busy when it was first seen.</param>
readonly record struct ItemStart(EventTime At, bool Known);

/// <summary>How many items had completed by a counter sample.</summary>
/// <param name="At">The time of the counter sample.</param>
/// <param name="Completed">Number of completed items since counting began.</param>
/// <param name="Working">Number of busy worker threads.</param>
readonly record struct CompletedUpTo(EventTime At, double Completed, int Working);

sealed partial record QueueDrainState
{
    /// <summary>Returns the basis of the forecast in words; <paramref name="held"/> says how long items hold their thread.</summary>
    public string Basis(string held) => ForecastWords.Basis(QueueLength, FreeMs.Length, held, State.IsAtMax);

    /// <summary>Returns when the queue is empty.</summary>
    public QueueEmpty Gone(QueueDrain drained)
    {
        var (arriving, completing) = (ArrivalsPerMs * 1000, FreeMs.Length / RunMs * 1000);
        return !double.IsFinite(drained.GoneMs) ? new(null, Never: true, ForecastWords.Never(arriving, completing))
            : new(At.PlusMs(drained.GoneMs), Never: false, ForecastWords.Emptied(arriving, completing, State.IsAtMax))
            {
                IfThreadsHelp = drained.Added > 0,
            };
    }
}
