using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>Computes the forecast; uses event time only. Takes each fact after the ledger, whose state the forecast reads.</summary>
sealed class ForecastTracker(PoolLedger ledger, IInjectionPolicy policy) : IFactSink
{
    readonly StartDelayForecast queue = new(policy);
    EventTime now;

    /// <summary>Returns the forecast at the newest event.</summary>
    public PoolForecast Snapshot() => new()
    {
        At = now,
        NextInjection = ledger.CounterSamples.Last is { QueueLength: > 0 } && !ledger.IsAtMax
            ? InjectionAhead.Next(policy, Freshest(), now) : null,
        StartDelayOfNewItem = queue.StartDelay,
        QueueEmpty = queue.Gone,
    };

    /// <summary>The case by which the queue drains; null when no item waits.</summary>
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

    // Process samples come from outside the stream and do not show how far the stream is complete.
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

    // An inferred MaxThreads is not among the settings, but also stops the pool from adding threads.
    PoolState WithMax(PoolState state, CounterSample sample) => ledger.IsAtMax && state.Settings.Max is null && sample.Workers is { } max
        ? state with { Settings = state.Settings with { Max = max } } : state;

    /// <summary>
    /// Returns the state after the last completions. When an item completes, another one starts; that start lies before the counter sample.
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
/// on, with the run time derived from completions. Before any completion, the run time is one that is certainly not too long. The
/// simulation runs only on request, because most counter samples of a recording are never displayed.
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

    /// <summary>Start delay of an item queued at the last counter sample; null when no item waits.</summary>
    public StartDelay? StartDelay => Newest?.StartDelay;

    /// <summary>Time at which the queue is empty; null when no item waits.</summary>
    public QueueEmpty? Gone => Newest?.Gone;

    /// <summary>The case behind both forecasts; null when no item waits.</summary>
    public DrainCase? Drains => Newest?.Drains;

    Foretold? Newest => waits is not { } at ? null
        : foretold ??= runTimes.RunTime is { } run ? Estimate(at.Sample, at.State, run) : BoundBelow(at.Sample, at.State);

    public void WorkerStarted(EventTime at) => runTimes.Started(at);

    /// <summary>Records that a worker thread has just completed an item, as a sample or adjustment by hill climbing shows.</summary>
    public void ItemEnded(EventTime at) => runTimes.Ended(at);

    /// <summary>Handles lost events, after which the information about busy worker threads is incomplete.</summary>
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
    /// Returns the case with the time at which each worker thread completes its item, for the given run time. The times are evenly spread
    /// when the start times are unknown.
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

    /// <summary>Counts items that arrived since the previous counter sample: the growth of the queue plus the dequeued items.</summary>
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
    /// The smaller arrival rate of the two newest counter samples: ignores a single burst and shows the end of arrivals at once.
    /// </summary>
    double ArrivalsPerMs => Math.Min(arrivals ?? 0, arrivalsBefore ?? arrivals ?? 0);

    /// <summary>The forecast from one counter sample on.</summary>
    sealed record Foretold(StartDelay StartDelay, QueueEmpty Gone, DrainCase Drains);
}

/// <summary>Applies the policy to future gate checks, assuming that only time passes.</summary>
static class InjectionAhead
{
    /// <summary>
    /// Maximum number of gate checks ahead. With busy processors the rule takes two checks per worker thread. Injections beyond this number
    /// of checks are not predicted.
    /// </summary>
    const int MostChecks = 40;

    /// <summary>Maximum number of windows shown; only the next two are useful.</summary>
    const int MostWindows = 2;

    /// <summary>Returns the next injection seen from <paramref name="now"/>; null when no rule gives its time.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="from">The known state.</param>
    /// <param name="now">The current time; gate checks before this time have passed already.</param>
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
                // At the first check, the time since the last dequeue is within a clock step of the threshold. Three times in four the
                // second check adds the thread (tests/SCORES.md).
                var doubt = isFirst && decision.Certainty != Certainty.Certain && check.Kind == GateCheckKind.Periodic;
                likely ??= decision.Kind == DecisionKind.Add && !doubt ? (check, decision, windows.Count == 1) : null;
            }

            isFirst = false;
        }

        return likely is not { } found || found.Decision.Mechanism == Mechanism.G5CooperativeJump ? null
            : new(found.Check.At, windows.ToImmutable(), found.Decision.Mechanism, Condition(found.Check, from.Settings),
                found.Check.Kind == GateCheckKind.CooperativeDelay || (found.First && found.Decision.Certainty == Certainty.Certain));
    }

    /// <summary>Returns the future gate checks and the decisions at these checks, if only time passes.</summary>
    static IEnumerable<(PoolCheck Check, Decision Decision)> Checks(IInjectionPolicy policy, PoolState from)
    {
        var nothing = policy.Apply(from, new PoolInput.Counted(from.Now, Completed: false, Cpu: null, Outstanding: true));
        return GateWalk.From(policy, nothing).Take(MostChecks).Select(walked => (walked.Tick, policy.Decide(walked.Before, walked.Tick)));
    }

    /// <summary>Returns the window in which a gate check may run: 20 ms.</summary>
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

/// <summary>
/// Estimates the run time of an item while items wait and every worker thread is busy. Keeps when each worker thread began an item and how
/// many items have completed since. Starts again after the queue was empty.
/// </summary>
sealed class RunTimeTracker
{
    /// <summary>
    /// Maximum number of counter samples kept: one minute at one per second. Above it, the older half is folded into the phases.
    /// </summary>
    const int MostSamples = 60;

    /// <summary>
    /// Maximum number of starts kept. No more threads start between two counter samples, and without samples starts are not used.
    /// </summary>
    const int MostStarts = 4096;

    /// <summary>Maximum difference between equal run times because sleeps wake late, milliseconds.</summary>
    const double SameMs = 2;

    readonly List<EventTime> starts = [];
    readonly List<RunPhase> phases = [];
    readonly List<CompletedUpTo> counts = [];
    EventTime? firstEnd;
    EventTime? lastSample;
    bool fresh;

    /// <summary>Run time of an item; null before any completion.</summary>
    public RunTime? RunTime { get; private set; }

    /// <summary>
    /// Times at which worker threads began an item. A thread that has completed items since began more at multiples of the run time.
    /// </summary>
    public IReadOnlyList<RunPhase> Phases => phases;

    /// <summary>Number of worker threads that are busy now.</summary>
    public int Working { get; private set; }

    public void Started(EventTime at)
    {
        if (starts.Count == MostStarts)
        {
            starts.Clear();
        }

        starts.Add(at);
    }

    /// <summary>Records that an item completed exactly at this time.</summary>
    public void Ended(EventTime at) => firstEnd ??= at;

    /// <summary>
    /// Takes a counter sample; <paramref name="working"/> is the number of existing worker threads up to the target thread count.
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
            phases.AddRange(starts.Select(s => new RunPhase(s, Known: true)));
            Count(sample, working);
        }

        starts.Clear();
        lastSample = sample.At;
    }

    /// <summary>Starts again, because no item waits or the counts are incomplete.</summary>
    public void Forget()
    {
        phases.Clear();
        counts.Clear();
        starts.Clear();
        (firstEnd, lastSample, fresh, RunTime) = (null, null, false, null);
    }

    /// <summary>
    /// Starts counting after a counter sample at which no item waited. Worker threads that have started since began with the waiting items.
    /// Others took an item at an unknown time between the samples, and items completed then may have been queued long before.
    /// </summary>
    void Begin(CounterSample sample, int working)
    {
        var begun = starts.TakeLast(working).ToArray();
        var middle = lastSample?.PlusMs(sample.At.MsSince(lastSample.Value) / 2);
        phases.AddRange(Enumerable.Repeat(new RunPhase(middle ?? sample.At, Known: middle is not null), working - begun.Length));
        phases.AddRange(begun.Select(s => new RunPhase(s, Known: true)));
        fresh = begun.Length == working;
        if (firstEnd <= begun.FirstOrDefault(sample.At))
        {
            // A completion before the first start belongs to an earlier item.
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
        // The start of this worker thread was not observed. The thread is busy, but since when is unknown.
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
    /// Returns the run time of the first item; null if unknown or if the counter samples contradict it. Hill climbing takes its first
    /// sample when the first item completes. If all worker threads began with the waiting items, that item is the one that began first, and
    /// its run time is known to the millisecond.
    /// </summary>
    RunTime? OfFirstItem(RunTime fit)
    {
        if (!fit.InStep || !fresh || firstEnd is not { } end || counts.Exists(c => c.Completed > 0 && c.At < end))
        {
            return null;
        }

        var ms = end.MsSince(phases.Min(p => p.At));
        return ms >= fit.LowMs - SameMs && ms <= fit.HighMs + SameMs ? new(ms, ms - SameMs, ms + SameMs, InStep: true) : null;
    }

    /// <summary>Drops the older half of the counts, after moving its information into the phases.</summary>
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
/// Finds the run time that explains the completions best. While items wait, each worker thread takes the next item when one completes. So a
/// thread that began at s has completed ⌊(t − s) / run time⌋ items by t. With this formula it does not matter whether a counter sample
/// includes or just misses a burst of completions; with a rate it does. Median errors are 6 % instead of 19 % for the start delay, and 10 %
/// instead of 50 % for the time until the queue is empty. Where run times differ, or items complete one after another at a lock, Little's
/// law, (t − s) / run time without rounding, fits better.
/// </summary>
sealed class RunTimeFit
{
    /// <summary>Maximum number of groups of worker threads that began one after the other; keeps a fit well under a millisecond.</summary>
    const int MostGroups = 64;

    /// <summary>
    /// Number of run times tried first, evenly on a logarithmic scale from an eighth of the longest possible run time up to that one.
    /// </summary>
    const int Tries = 60;
    const double Shortest = 8;

    /// <summary>Number of run times tried next, between the neighbours of the best ones.</summary>
    const int FinerTries = 20;

    /// <summary>
    /// Longest run time tried, relative to Little's law. That law counts running items as not done, so the run time is below the law's
    /// result, or by chance a little above.
    /// </summary>
    const double AboveLittle = 1.3;

    /// <summary>Maximum error, relative to the smallest error, of run times that count as equally good: 2 % more.</summary>
    const double AsGood = 1.02;

    /// <summary>Differences in counts below this are rounding errors.</summary>
    const double SameCount = 1e-9;

    readonly (double At, int Significance, bool Known)[] groups;
    readonly (double At, double Completed, double Share, double BusyMs)[] counts;

    RunTimeFit(IReadOnlyList<RunPhase> phases, IReadOnlyList<CompletedUpTo> seen)
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

    (int Workers, double BusyMs) Begun(double at)
    {
        var (workers, busy) = (0, 0.0);
        foreach (var group in groups)
        {
            workers += group.At < at ? group.Significance : 0;
            busy += group.Significance * Math.Max(0, at - group.At);
        }

        return (workers, busy);
    }

    /// <summary>Returns the run time that fits, or null when no item has completed.</summary>
    /// <param name="phases">When each worker thread began an item.</param>
    /// <param name="seen">Completions, from the time at which counting began.</param>
    public static RunTime? Of(IReadOnlyList<RunPhase> phases, IReadOnlyList<CompletedUpTo> seen)
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

    /// <summary>
    /// Returns the better model: completions in step with starts, or evenly spread. n completions give the run time to one part in √n.
    /// </summary>
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

    /// <summary>Returns the range of run times for which worker threads complete in step with their starts, milliseconds.</summary>
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
    /// Returns the error of the counts, summed over the counter samples, if every item runs for <paramref name="ms"/>. The sum stops once
    /// it exceeds <paramref name="enough"/>.
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

/// <summary>How long an item holds its worker thread, derived from completions.</summary>
/// <param name="Ms">Middle of the values that explain the completions equally well, milliseconds.</param>
/// <param name="LowMs">The smallest of these values, milliseconds.</param>
/// <param name="HighMs">The largest of these values, milliseconds.</param>
/// <param name="InStep">Whether completions follow the times at which worker threads began, so that items run about equally long. Otherwise
/// it is unknown when each worker thread began its current item.</param>
sealed record RunTime(double Ms, double LowMs, double HighMs, bool InStep);

/// <summary>A time at which a worker thread began an item.</summary>
/// <param name="At">The time.</param>
/// <param name="Known">Whether the time is known; false for a worker thread that was busy before the first observation.</param>
readonly record struct RunPhase(EventTime At, bool Known);

/// <summary>Number of items completed since counting began, at a counter sample.</summary>
/// <param name="At">The time of the counter sample.</param>
/// <param name="Completed">The number of items.</param>
/// <param name="Working">Number of busy worker threads.</param>
readonly record struct CompletedUpTo(EventTime At, double Completed, int Working);
