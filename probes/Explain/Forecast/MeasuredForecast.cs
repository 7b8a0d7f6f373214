using System.Collections.Immutable;
using Tpwatch.Explain.Policies;
using Tpwatch.Timeline.Items;

namespace Tpwatch.Explain.Forecast;

/// <summary>
/// When an item queued now starts and when the backlog is gone, by items that were measured one by one: how long those that ended lately held
/// their workers, and since when those at work hold theirs. The counters tell only how many ended.
/// </summary>
static class MeasuredForecast
{
    /// <summary>From fewer run times nothing is concluded; what the counters tell stands.</summary>
    const int FewestEnded = 10;

    /// <summary>
    /// The newest of them. Of 1000 a change of run times shows later (median error of the start delay across a change 44 % instead of 36 %), and where run
    /// times stay as they are they tell no more (13 % and 13 %).
    /// </summary>
    const int Newest = 300;

    /// <summary>So often the backlog drains in imagination, its run times each time in another order; about a millisecond of work.</summary>
    const int Orders = 5;

    static readonly PortablePolicy Policy = new();

    /// <summary>The forecast, told by what was measured where enough was.</summary>
    public static PoolForecast? Sharpen(PoolForecast? forecast, ItemSnapshot items)
    {
        var (runs, areAll) = Newly(items);
        if (forecast is not { Drains: { } basis } || items.Running.IsEmpty || runs.Count < FewestEnded)
        {
            return forecast;
        }

        // Of all that began since the probe listens those that still run are the longest; of those that ended in a while of many, long ones are as many as ever.
        var at = items.Listened.To;
        var survival = RunTimeSurvival.Of(runs, areAll ? items.Running.Select(i => at.MsSince(i.Taken)) : []);
        var cases = Enumerable.Range(0, Orders).Select(order => Case(at, basis, items, new(survival, order)))
            .Select(c => (Case: c, Drained: DrainRun.Of(Policy, c))).OrderBy(c => c.Drained.StartDelayMs).ToArray();
        var (usual, drained) = cases[Orders / 2];
        var goneMs = cases.Select(c => c.Drained.GoneMs).Order().ElementAt(Orders / 2);
        return forecast with
        {
            StartDelayOfNewItem = double.IsFinite(drained.StartDelayMs)
                ? new(at, cases[0].Drained.StartDelayMs, cases[^1].Drained.StartDelayMs, drained.StartDelayMs, Basis(usual, runs))
                : forecast.StartDelayOfNewItem,
            BacklogGone = BacklogGone.Of(usual, goneMs),
        };
    }

    /// <summary>How long those held their workers that ended last, and whether none ended before them.</summary>
    static (DurationCounts Runs, bool AreAll) Newly(ItemSnapshot items)
    {
        var newest = new List<DurationCounts>();
        var i = items.Slices.Length;
        while (i > 0 && newest.Sum(n => n.Count) < Newest)
        {
            newest.Add(items.Slices[--i].Run);
        }

        return (DurationCounts.Sum(newest), i == 0);
    }

    static DrainCase Case(EventTime at, DrainBasis basis, ItemSnapshot items, DrawnRunTimes runs)
    {
        ImmutableArray<double> free = [.. items.Running.Select((item, i) => runs.LeftMs(at.MsSince(item.Taken), i))];
        return new(at, free, runs.All.MeanMs, items.KnowsWaiting ? items.Waiting : basis.Backlog, basis.State)
        {
            Injections = basis.Injections,
            ArrivalsPerMs = basis.ArrivalsPerMs,
            ToTheEnd = true,
            RunMsOf = runs.OfMs,
            LastDequeueMs = Math.Min(0, items.Running.Max(i => i.Taken).MsSince(at)),
        };
    }

    static string Basis(DrainCase given, DurationCounts runs) =>
        $"{Format.Plural(given.Backlog, "item")} before it, {Format.Plural(given.FreeMs.Length, "worker")} at work; of the {Format.Plural(runs.Count, "item")} "
        + $"measured that ended last half held their worker {Format.Duration(runs.QuantileMs(0.5))} at most, one in ten {Format.Duration(runs.QuantileMs(0.9))} or more; "
        + "first in, first out, with the workers that the gate's rule would add; hill climbing is not foretold.";
}
