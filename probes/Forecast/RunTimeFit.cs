namespace Tpwatch.Forecast;

/// <summary>
/// The run time that explains the completions best. While a backlog stands each worker takes the next item when one ends, so a worker that
/// began at s has completed ⌊(t − s) / run time⌋ by t: heartbeats that meet a burst of completions or just miss it do not matter then, as
/// they do for a rate. Where items run for various times the steps wash out and (t − s) / run time alone fits better.
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

    /// <summary>
    /// Little's law counts items under way as not done, so the run time lies below its answer, or a little above by chance.
    /// </summary>
    const double AboveLittle = 1.3;

    /// <summary>Explains as well as the best one: 2 % more counts off.</summary>
    const double AsGood = 1.02;

    /// <summary>Rounding of the arithmetic is no difference.</summary>
    const double SameCount = 1e-9;

    /// <summary>Steps must be refuted clearly before they are given up.</summary>
    const double ClearlyBetter = 0.8;

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
        if (fit.counts[^1].BusyMs <= 0)
        {
            return null;
        }

        var steps = fit.Steps();
        var even = fit.Even();
        return fit.EvenCost(even.Ms) < ClearlyBetter * fit.Cost(steps.Ms) ? even : fit.Widened(steps);
    }

    static (double, int, bool)[] Group((double At, int Weight, bool Known)[] sorted)
    {
        var size = (sorted.Length + MostGroups - 1) / MostGroups;
        return size <= 1 ? sorted
            : [.. sorted.Chunk(size).Select(c => (c.Average(p => p.At), c.Length, c.Count(p => p.Known) * 2 >= c.Length))];
    }

    /// <summary>The run time under which workers complete in step with their beginnings.</summary>
    RunTime Steps()
    {
        var little = counts[^1].BusyMs / counts[^1].Completed * AboveLittle;
        var tries = Enumerable.Range(0, Tries + 1).Select(i => little * Math.Pow(Shortest, (double)i / Tries - 1));
        var (low, high) = Plateau(tries);
        var step = low * (Math.Pow(Shortest, 1.0 / Tries) - 1);
        for (var round = 0; round < 2; round++, step /= 10)
        {
            var (from, width) = (low - step, high - low + 2 * step);
            (low, high) = Plateau(Enumerable.Range(0, 21).Select(i => from + width * i / 20));
        }

        return new((low + high) / 2, low, high, InStep: true);
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
    double Cost(double ms, double enough = double.PositiveInfinity)
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

    /// <summary>The run time under which completions come evenly: the weighted median of the rates of all heartbeats so far.</summary>
    RunTime Even()
    {
        var rates = counts.Where(c => c.BusyMs > 0)
            .Select(c => (Rate: c.Completed / c.BusyMs, Weight: c.BusyMs)).OrderBy(r => r.Rate).ToArray();
        var half = rates.Sum(r => r.Weight) / 2;
        var index = 0;
        for (var sum = rates[0].Weight; sum < half && index < rates.Length - 1; sum += rates[index].Weight)
        {
            index++;
        }

        var ms = rates[index].Rate > 0 ? 1 / rates[index].Rate : counts[^1].BusyMs / counts[^1].Completed;
        var doubt = 1 / Math.Sqrt(counts[^1].Completed);
        return new(ms, ms / (1 + doubt), ms * (1 + doubt), InStep: false);
    }

    double EvenCost(double ms) => counts.Sum(c => Math.Abs(c.BusyMs / ms - c.Completed));

    /// <summary>What the best fit leaves unexplained is doubt, too.</summary>
    RunTime Widened(RunTime steps)
    {
        var doubt = Cost(steps.Ms) / counts.Sum(c => c.Completed);
        return steps with { LowMs = steps.LowMs / (1 + doubt), HighMs = steps.HighMs * (1 + doubt) };
    }
}
