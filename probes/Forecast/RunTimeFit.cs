namespace Tpwatch.Forecast;

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
