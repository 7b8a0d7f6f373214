using Tpwatch.Basics;
using Tpwatch.Model;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>
/// When an item queued now will start and when the backlog is gone: at each heartbeat the backlog drains in a small simulation with the
/// run time that completions tell; before there are any, with one that is certainly not too long.
/// </summary>
sealed class StartDelayForecast
{
    /// <summary>Heartbeats whose arrivals are looked at; their median passes over a single burst.</summary>
    const int ArrivalBeats = 10;

    /// <summary>
    /// The gate would have added a worker several times over; so many ticks without one, and max is reached, whatever it is.
    /// </summary>
    const double NothingAddedMs = 8 * GateTiming.AfterHold;

    readonly IInjectionPolicy policy;
    readonly RunTimeTracker runTimes = new();
    readonly Queue<double> arrivals = new();
    Heartbeat? before;
    int workedBefore;
    EventTime? lastProgress;

    public StartDelayForecast(IInjectionPolicy policy) => this.policy = policy;

    /// <summary>When an item queued at the last heartbeat starts; null when nothing waits.</summary>
    public StartDelay? StartDelay { get; private set; }

    /// <summary>When the backlog is gone.</summary>
    public BacklogGone? Gone { get; private set; }

    /// <summary>What both rest on; null when nothing waits.</summary>
    public DrainBasis? Drains { get; private set; }

    /// <summary>Workers that were at work at the last heartbeat.</summary>
    public int Working => runTimes.Working;

    public void WorkerStarted(EventTime at)
    {
        runTimes.Started(at);
        lastProgress = at;
    }

    /// <summary>Hill climbing took a sample or moved the goal: a worker had just completed an item.</summary>
    public void ItemEnded(EventTime at) => runTimes.Ended(at);

    /// <summary>Events were lost: what is known of the workers at work is not all.</summary>
    public void Forget()
    {
        runTimes.Forget();
        arrivals.Clear();
        (before, lastProgress, StartDelay, Gone, Drains) = (null, null, null, null, null);
    }

    /// <summary>Takes a heartbeat; <paramref name="state"/> is what the ledger knows.</summary>
    public void Take(Heartbeat beat, PoolState state)
    {
        var existing = beat.Workers ?? state.Existing ?? 0;
        var working = state.Goal is { } goal ? Math.Min(existing, goal) : existing;
        runTimes.Take(beat, working);
        CountArrivals(beat, working);
        lastProgress = beat.Completed > 0 || beat.Backlog is not > 0 ? beat.At : lastProgress ?? beat.At;
        (StartDelay, Gone, Drains) = (null, null, null);
        if (beat.Backlog is > 0 and { } backlog && runTimes.Phases.Count > 0)
        {
            // Additional workers share processors that are busy already; they take no more items.
            var byRule = beat.Cpu >= GateTiming.BusyCpu ? Injections.None : Injections.ByRule;
            Drains = new(
                beat.At, runTimes.Working, backlog, Believable(state, beat.At) with { Cpu = beat.Cpu ?? state.Cpu }, byRule, ArrivalRate());
            Foretell(Drains);
        }
    }

    /// <summary>
    /// Where nothing ended and nothing was added for long although the rule would add a worker, some limit that is not visible forbids it.
    /// </summary>
    PoolState Believable(PoolState state, EventTime now) =>
        state.Settings.Max is null && lastProgress is { } last && now.MsSince(last) > NothingAddedMs && !(state.Cpu >= GateTiming.BusyCpu)
            ? state with { Settings = state.Settings with { Max = Math.Max(1, state.Goal ?? runTimes.Working) } }
            : state;

    void Foretell(DrainBasis by)
    {
        if (runTimes.RunTime is { } run)
        {
            StartDelay = Estimate(by, run);
            Gone = WhenGone(Case(by, run, run.Ms) with { ArrivalsPerMs = by.ArrivalsPerMs, ToTheEnd = true });
        }
        else
        {
            StartDelay = LowerBound(by);
            Gone = new(null, Never: false, "No item has completed since items began to wait, so the completion rate is not known.");
        }
    }

    StartDelay Estimate(DrainBasis by, RunTime run)
    {
        double Delay(double ms, Injections injections) =>
            DrainRun.Of(policy, Case(by, run, ms) with { Injections = injections }).StartDelayMs;
        double[] byRule = [.. ((double[])[run.LowMs, run.Ms, run.HighMs]).Select(ms => Delay(ms, by.Injections)).Order()];
        // Whether the gate adds a worker often hangs by a hair: items that end 500 ms apart.
        double[] all = [.. byRule, Delay(run.LowMs, Injections.None), Delay(run.HighMs, Injections.None)];
        return new(by.At, all.Min(), all.Max(), byRule[1], EstimateBasis(by, run));
    }

    static string EstimateBasis(DrainBasis by, RunTime run)
    {
        var from = Format.Duration(run.LowMs);
        var to = Format.Duration(run.HighMs);
        var length = from == to ? from : $"{from} to {to}";
        return $"{Format.Plural(by.Backlog, "item")} ahead of it, {Format.Plural(by.Working, "busy worker thread")}. "
            + $"An item holds its thread for {length}. {DrainCase.Rules}";
    }

    StartDelay LowerBound(DrainBasis by)
    {
        var at = by.At;
        var held = runTimes.Phases.Max(p => at.MsSince(p.At));
        var free = runTimes.Phases.OrderByDescending(p => p.At)
            .Take(Math.Max(1, by.Working)).Select(p => Math.Max(0, held - at.MsSince(p.At)));
        var bound = DrainRun.Of(
            policy, new(at, [.. free], Math.Max(1, held), by.Backlog, by.State) { Injections = Injections.AtEveryTick });
        return new(at, bound.StartDelayMs, null, null,
            $"A lower bound: no item has completed yet. {Format.Plural(by.Backlog, "item")} ahead of it. "
            + $"{Format.Plural(by.Working, "worker thread")} busy for up to {Format.Duration(held)}, and similar items take at least as "
            + "long. The pool adds at most one thread per gate check.");
    }

    BacklogGone WhenGone(DrainCase given) => given.Gone(DrainRun.Of(policy, given).GoneMs);

    /// <summary>When each worker ends what it works on, if items run so long.</summary>
    DrainCase Case(DrainBasis by, RunTime run, double ms)
    {
        var stepping = runTimes.Phases.Where(p => p.Known && run.InStep).Select(p => by.At.MsSince(p.At))
            .Select(age => (Math.Floor(age / ms) + 1) * ms - age).ToArray();
        var unknown = runTimes.Phases.Count - stepping.Length;
        return by.Case(by.At, stepping.Concat(Enumerable.Range(0, unknown).Select(i => ms * (i + 0.5) / unknown)), ms);
    }

    /// <summary>What arrived since the heartbeat before: the backlog grew by it, less what was taken.</summary>
    void CountArrivals(Heartbeat beat, int working)
    {
        if (before is { Backlog: { } waited } && beat is { Backlog: { } waits, Completed: { } completed, IntervalMs: > 0 and { } interval })
        {
            var begun = waits > 0 && waited > 0 ? working - workedBefore : 0;
            arrivals.Enqueue(Math.Max(0, waits - waited + completed + begun) / interval);
            if (arrivals.Count > ArrivalBeats)
            {
                arrivals.Dequeue();
            }
        }

        (before, workedBefore) = (beat, working);
    }

    double ArrivalRate()
    {
        var sorted = arrivals.Order().ToArray();
        return sorted.Length == 0 ? 0 : sorted[sorted.Length / 2];
    }
}
