using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>
/// While a backlog stands every worker is at work: keeps when each began, and what has been completed since, so that the run time of an
/// item can be told. Begins anew when the backlog was gone.
/// </summary>
sealed class RunTimeTracker
{
    /// <summary>A minute at one a second; then the older half is taken as said.</summary>
    const int MostBeats = 60;

    /// <summary>More workers than that do not start between two heartbeats; without heartbeats nobody asks.</summary>
    const int MostStarts = 4096;

    /// <summary>A sleep wakes that much late without being another length, milliseconds.</summary>
    const double SameMs = 2;

    readonly List<EventTime> starts = [];
    readonly List<WorkerPhase> phases = [];
    readonly List<CompletedUpTo> counts = [];
    EventTime? firstEnd;
    EventTime? lastBeat;
    bool fresh;

    /// <summary>The run time of an item; null before anything has completed.</summary>
    public RunTime? RunTime { get; private set; }

    /// <summary>When each worker began an item; workers that turned over since have begun others at multiples of the run time.</summary>
    public IReadOnlyList<WorkerPhase> Phases => phases;

    /// <summary>Workers that are at work now.</summary>
    public int Working { get; private set; }

    public void Started(EventTime at)
    {
        if (starts.Count == MostStarts)
        {
            starts.Clear();
        }

        starts.Add(at);
    }

    /// <summary>An item ended at this very moment.</summary>
    public void Ended(EventTime at) => firstEnd ??= at;

    /// <summary>Takes a heartbeat; <paramref name="working"/>: workers that exist, but not more than the goal.</summary>
    public void Take(Heartbeat beat, int working)
    {
        if (beat is not { Backlog: > 0 } || working == 0)
        {
            Forget();
        }
        else if (counts.Count == 0)
        {
            Begin(beat, working);
        }
        else
        {
            phases.AddRange(starts.Select(s => new WorkerPhase(s, Known: true)));
            Count(beat, working);
        }

        starts.Clear();
        lastBeat = beat.At;
    }

    /// <summary>Nothing waits, or what was counted is not all: begin anew.</summary>
    public void Forget()
    {
        phases.Clear();
        counts.Clear();
        starts.Clear();
        (firstEnd, lastBeat, fresh, RunTime) = (null, null, false, null);
    }

    /// <summary>
    /// The backlog was not there at the heartbeat before. Workers that have started since began with it; others took it up at an unknown
    /// moment between the heartbeats, and what was completed may have been queued long before.
    /// </summary>
    void Begin(Heartbeat beat, int working)
    {
        var begun = starts.TakeLast(working).ToArray();
        var middle = lastBeat?.PlusMs(beat.At.MsSince(lastBeat.Value) / 2);
        phases.AddRange(Enumerable.Repeat(new WorkerPhase(middle ?? beat.At, Known: middle is not null), working - begun.Length));
        phases.AddRange(begun.Select(s => new WorkerPhase(s, Known: true)));
        fresh = begun.Length == working;
        if (firstEnd <= begun.FirstOrDefault(beat.At))
        {
            // It belongs to what came before.
            firstEnd = null;
        }

        if (fresh)
        {
            counts.Add(new(begun[0], 0, working));
            Count(beat, working);
        }
        else
        {
            counts.Add(new(beat.At, 0, working));
            Working = working;
        }
    }

    void Count(Heartbeat beat, int working)
    {
        Working = working;
        counts.Add(new(beat.At, counts[^1].Completed + (beat.Completed ?? 0), working));
        // A worker that nobody saw start; it is at work, but since when is not known.
        while (phases.Count < working)
        {
            phases.Add(new(beat.At, Known: false));
        }

        RunTime = RunTimeFit.Of(phases, counts) is { } fit ? OfFirstItem(fit) ?? fit : RunTime;
        if (RunTime is { } known && counts.Count > MostBeats)
        {
            DropOlderHalf(known.Ms);
        }
    }

    /// <summary>
    /// Hill climbing takes its first sample when the first item of all ends: where all workers began with the backlog, that one began first
    /// and its length is known to the millisecond. Null where that is not so, or not what the heartbeats say.
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

    /// <summary>What the older half says is kept in the phases.</summary>
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
