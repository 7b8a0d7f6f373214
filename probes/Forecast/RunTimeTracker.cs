using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>
/// Estimates the run time of an item while items wait and every worker thread is busy: keeps when each began and how many items have
/// completed since. Starts again after the queue was empty.
/// </summary>
sealed class RunTimeTracker
{
    /// <summary>
    /// The most counter samples kept: one minute at one per second. Beyond that, the older half is folded into the phases.
    /// </summary>
    const int MostSamples = 60;

    /// <summary>
    /// The most starts kept: no more worker threads start between two counter samples, and without samples the starts are not used.
    /// </summary>
    const int MostStarts = 4096;

    /// <summary>How much later a sleep may wake and still count as one length, milliseconds.</summary>
    const double SameMs = 2;

    readonly List<EventTime> starts = [];
    readonly List<WorkerPhase> phases = [];
    readonly List<CompletedUpTo> counts = [];
    EventTime? firstEnd;
    EventTime? lastSample;
    bool fresh;

    /// <summary>The run time of an item; null before any completion.</summary>
    public RunTime? RunTime { get; private set; }

    /// <summary>
    /// When each worker thread began an item; threads that have completed items since began further ones at multiples of the run time.
    /// </summary>
    public IReadOnlyList<WorkerPhase> Phases => phases;

    /// <summary>The number of worker threads that are busy now.</summary>
    public int Working { get; private set; }

    public void Started(EventTime at)
    {
        if (starts.Count == MostStarts)
        {
            starts.Clear();
        }

        starts.Add(at);
    }

    /// <summary>An item completed exactly at this time.</summary>
    public void Ended(EventTime at) => firstEnd ??= at;

    /// <summary>
    /// Takes a counter sample; <paramref name="working"/> is the number of existing worker threads, but at most the target thread count.
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
            phases.AddRange(starts.Select(s => new WorkerPhase(s, Known: true)));
            Count(sample, working);
        }

        starts.Clear();
        lastSample = sample.At;
    }

    /// <summary>Starts again: no item waits, or the counts are incomplete.</summary>
    public void Forget()
    {
        phases.Clear();
        counts.Clear();
        starts.Clear();
        (firstEnd, lastSample, fresh, RunTime) = (null, null, false, null);
    }

    /// <summary>
    /// Starts counting: no item waited at the previous counter sample. Worker threads that have started since began with the waiting items;
    /// others took an item at an unknown time between the samples, and items completed in it may have been queued long before.
    /// </summary>
    void Begin(CounterSample sample, int working)
    {
        var begun = starts.TakeLast(working).ToArray();
        var middle = lastSample?.PlusMs(sample.At.MsSince(lastSample.Value) / 2);
        phases.AddRange(Enumerable.Repeat(new WorkerPhase(middle ?? sample.At, Known: middle is not null), working - begun.Length));
        phases.AddRange(begun.Select(s => new WorkerPhase(s, Known: true)));
        fresh = begun.Length == working;
        if (firstEnd <= begun.FirstOrDefault(sample.At))
        {
            // That completion belongs to an earlier item.
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
        // The start of this worker thread was not observed. It is busy, but since when is unknown.
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
    /// The run time of the first item. Hill climbing takes its first sample when the first item completes: if all worker threads began with
    /// the waiting items, it is the item that began first, and its length is known to the millisecond. Null if not, or if the counter
    /// samples contradict it.
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
/// Finds the run time that explains the completions best. While items wait, each worker thread takes the next item when one completes, so a
/// thread that began at s has completed ⌊(t − s) / run time⌋ items by t. Unlike for a rate, it does not matter then whether a counter
/// sample includes or just misses a burst of completions (median error of the start delay 6 % instead of 19 %, of the time until the queue
/// is empty 10 % instead of 50 %). Where run times differ, or items complete one after another at a lock, the steps disappear and Little's
/// law, (t − s) / run time alone, fits better.
/// </summary>
sealed class RunTimeFit
{
    /// <summary>
    /// The number of worker threads above which those that began one after the other count as one; keeps a fit well under a millisecond.
    /// </summary>
    const int MostGroups = 64;

    /// <summary>
    /// The number of run times tried first, from an eighth of the longest possible one up to it, evenly on a logarithmic scale.
    /// </summary>
    const int Tries = 60;
    const double Shortest = 8;

    /// <summary>The number of run times tried next, between the neighbours of the best ones.</summary>
    const int FinerTries = 20;

    /// <summary>
    /// The longest run time tried, relative to Little's law. That law counts running items as not done, so the run time is below its
    /// result, or by chance a little above.
    /// </summary>
    const double AboveLittle = 1.3;

    /// <summary>A run time with at most 2 % more error explains the counts as well as the best one.</summary>
    const double AsGood = 1.02;

    /// <summary>Differences below this are rounding errors.</summary>
    const double SameCount = 1e-9;

    readonly (double At, int Significance, bool Known)[] groups;
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
            workers += group.At < at ? group.Significance : 0;
            busy += group.Significance * Math.Max(0, at - group.At);
        }

        return (workers, busy);
    }

    /// <summary>The run time that fits, or null when no item has completed.</summary>
    /// <param name="phases">When each worker thread began an item.</param>
    /// <param name="seen">Completions, from the time at which counting began.</param>
    public static RunTime? Of(IReadOnlyList<WorkerPhase> phases, IReadOnlyList<CompletedUpTo> seen)
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
    /// The better of the two models, in step or evenly spread. With n completions the run time is known to one part in √n.
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

    /// <summary>The range of run times for which worker threads complete in step with their starts, milliseconds.</summary>
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
    /// The error of the counts, summed over the counter samples, if every item runs for <paramref name="ms"/>; the sum stops at <paramref
    /// name="enough"/>.
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
