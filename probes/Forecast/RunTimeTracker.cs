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

/// <summary>
/// The run time that explains the completions best. While a backlog stands each worker takes the next item when one ends, so a worker that
/// began at s has completed ⌊(t − s) / run time⌋ by t: heartbeats that meet a burst of completions or just miss it do not matter then, as
/// they do for a rate (median error of the start delay 19 % instead of 6 %, of the empty queue 50 instead of 10). Where items run for
/// various times, or end one after the other at a lock, the steps wash out and Little's law, (t − s) / run time alone, fits better.
/// </summary>
sealed class RunTimeFit
{
    /// <summary>
    /// Workers that began one after the other count as one from this number of workers on: keeps a fit well under a millisecond.
    /// </summary>
    const int MostGroups = 64;

    /// <summary>Run times tried at first, an eighth of the longest possible to that, evenly on a logarithmic scale.</summary>
    const int Tries = 60;
    const double Shortest = 8;

    /// <summary>Run times tried then between the neighbours of the best ones.</summary>
    const int FinerTries = 20;

    /// <summary>
    /// Little's law counts items under way as not done, so the run time lies below its answer, or a little above by chance.
    /// </summary>
    const double AboveLittle = 1.3;

    /// <summary>Explains as well as the best one: 2 % more counts off.</summary>
    const double AsGood = 1.02;

    /// <summary>Rounding of the arithmetic is no difference.</summary>
    const double SameCount = 1e-9;

    readonly (double At, int Weight, bool Known)[] groups;
    readonly (double At, double Completed, double Share, double BusyMs)[] counts;

    RunTimeFit(IReadOnlyList<WorkerPhase> phases, IReadOnlyList<CompletedUpTo> seen)
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
            workers += group.At < at ? group.Weight : 0;
            busy += group.Weight * Math.Max(0, at - group.At);
        }

        return (workers, busy);
    }

    /// <summary>The run time that fits, or null when nothing has completed.</summary>
    /// <param name="phases">When each worker began an item.</param>
    /// <param name="seen">Completions, from the moment at which counting began.</param>
    public static RunTime? Of(IReadOnlyList<WorkerPhase> phases, IReadOnlyList<CompletedUpTo> seen)
    {
        if (phases.Count == 0 || seen.Count < 2 || seen[^1].Completed <= seen[0].Completed)
        {
            return null;
        }

        var fit = new RunTimeFit(phases, seen);
        return fit.counts[^1].BusyMs > 0 ? fit.Best() : null;
    }

    static (double, int, bool)[] Group((double At, int Weight, bool Known)[] sorted)
    {
        var size = (sorted.Length + MostGroups - 1) / MostGroups;
        return size <= 1 ? sorted
            : [.. sorted.Chunk(size).Select(c => (c.Average(p => p.At), c.Length, c.Count(p => p.Known) * 2 >= c.Length))];
    }

    /// <summary>In step or evenly, whichever explains more; n completions tell a length to one part in the root of n.</summary>
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

    /// <summary>The run times under which workers complete in step with their beginnings.</summary>
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
    /// Counts off, summed over the heartbeats, if every item runs for <paramref name="ms"/>;
    /// summed no further than <paramref name="enough"/>.
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
