using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>
/// When an item queued now will start and when the backlog is gone: from the newest heartbeat on the backlog drains in a small simulation
/// with the run time that completions tell; before there are any, with one that is certainly not too long. It runs when somebody asks, for
/// nobody looks at most heartbeats of a recording.
/// </summary>
sealed class StartDelayForecast(IInjectionPolicy policy)
{
    readonly RunTimeTracker runTimes = new();
    Heartbeat? before;
    int workedBefore;
    double? arrivals;
    double? arrivalsBefore;
    (Heartbeat Beat, PoolState State)? waits;
    Foretold? foretold;

    /// <summary>When an item queued at the last heartbeat starts; null when nothing waits.</summary>
    public StartDelay? StartDelay => Newest?.StartDelay;

    /// <summary>When the backlog is gone; null when nothing waits.</summary>
    public BacklogGone? Gone => Newest?.Gone;

    /// <summary>What both rest on; null when nothing waits.</summary>
    public DrainCase? Drains => Newest?.Drains;

    Foretold? Newest => waits is not { } at ? null
        : foretold ??= runTimes.RunTime is { } run ? Estimate(at.Beat, at.State, run) : BoundBelow(at.Beat, at.State);

    public void WorkerStarted(EventTime at) => runTimes.Started(at);

    /// <summary>Hill climbing took a sample or moved the goal: a worker had just completed an item.</summary>
    public void ItemEnded(EventTime at) => runTimes.Ended(at);

    /// <summary>Events were lost: what is known of the workers at work is not all.</summary>
    public void Forget()
    {
        runTimes.Forget();
        (before, arrivals, arrivalsBefore, waits, foretold) = (null, null, null, null, null);
    }

    /// <summary>Takes a heartbeat; <paramref name="state"/> is what the ledger knows.</summary>
    public void Take(Heartbeat beat, PoolState state)
    {
        var existing = beat.Workers ?? state.Existing ?? 0;
        var working = state.Goal is { } goal ? Math.Min(existing, goal) : existing;
        runTimes.Take(beat, working);
        CountArrivals(beat, working);
        foretold = null;
        waits = beat.Backlog is > 0 && runTimes.Phases.Count > 0 ? (beat, state) : null;
    }

    Foretold Estimate(Heartbeat beat, PoolState state, RunTime run)
    {
        DrainCase Lasting(double ms) => Case(beat, state, run with { Ms = ms });
        var drains = Lasting(run.Ms);
        var drained = DrainRun.Of(policy, drains);
        double Delay(double ms) => DrainRun.Of(policy, Lasting(ms)).StartDelayMs;
        // Whether the gate adds a worker often hangs by a hair, so that the middle of the three need not be that of the middle run time.
        double[] delays = [.. new[] { drained.StartDelayMs, Delay(run.LowMs), Delay(run.HighMs) }.Order()];
        return new(
            new(beat.At, delays[0], delays[2], delays[1], $"{drains.Ahead} An item holds its thread for {Length(run)}. {drains.Rules}"),
            drains.Gone(drained), drains);
    }

    static string Length(RunTime run)
    {
        var (from, to) = (Format.Duration(run.LowMs), Format.Duration(run.HighMs));
        return from == to ? from : $"{from} to {to}";
    }

    Foretold BoundBelow(Heartbeat beat, PoolState state)
    {
        var held = Math.Max(1, runTimes.Phases.Max(p => beat.At.MsSince(p.At)));
        DrainCase drains = new(
            beat.At, DrainCase.Working(runTimes.Phases.Select(p => Math.Max(0, held - beat.At.MsSince(p.At))), runTimes.Working),
            held, beat.Backlog!.Value, state)
        { ArrivalsPerMs = ArrivalsPerMs };
        var bound = DrainRun.Of(policy, drains with { AtEveryTick = true });
        StartDelay startDelay = new(beat.At, bound.StartDelayMs, null, null,
            $"A lower bound: no item has completed yet. {Format.Plural(drains.Backlog, "item")} ahead of a new item. "
            + $"{Format.Plural(runTimes.Working, "worker thread")} busy for up to {Format.Duration(held)}, and similar items take at least "
            + $"as long. {(state.IsAtMax ? DrainCase.MaxReached : "The pool adds at most one thread per gate check.")}");
        return new(
            startDelay,
            new(null, Never: false, "No item has completed since items began to wait, so the completion rate is not known."), drains);
    }

    /// <summary>When each worker ends what it works on, if items run so long; evenly where nobody knows when they began.</summary>
    DrainCase Case(Heartbeat beat, PoolState state, RunTime run)
    {
        var ms = run.Ms;
        var stepping = runTimes.Phases.Where(p => p.Known && run.InStep).Select(p => beat.At.MsSince(p.At))
            .Select(age => (Math.Floor(age / ms) + 1) * ms - age).ToArray();
        var unknown = runTimes.Phases.Count - stepping.Length;
        var free = stepping.Concat(Enumerable.Range(0, unknown).Select(i => ms * (i + 0.5) / unknown));
        return new(beat.At, DrainCase.Working(free, runTimes.Working), ms, beat.Backlog!.Value, state) { ArrivalsPerMs = ArrivalsPerMs };
    }

    /// <summary>What arrived since the heartbeat before: the backlog grew by it, less what was taken.</summary>
    void CountArrivals(Heartbeat beat, int working)
    {
        if (before is { Backlog: { } waited } && beat is { Backlog: { } waits, Completed: { } completed, IntervalMs: > 0 and { } interval })
        {
            var begun = waits > 0 && waited > 0 ? working - workedBefore : 0;
            (arrivalsBefore, arrivals) = (arrivals, Math.Max(0, waits - waited + completed + begun) / interval);
        }

        (before, workedBefore) = (beat, working);
    }

    /// <summary>The smaller rate of the two newest heartbeats passes over a single burst, and shows the end of arrivals at once.</summary>
    double ArrivalsPerMs => Math.Min(arrivals ?? 0, arrivalsBefore ?? arrivals ?? 0);

    /// <summary>What is foretold from one heartbeat on.</summary>
    sealed record Foretold(StartDelay StartDelay, BacklogGone Gone, DrainCase Drains);
}
