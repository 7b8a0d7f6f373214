using Tpwatch.Basics;
using Tpwatch.Model;
using Tpwatch.Reports;
using Tpwatch.Reports.Items;

namespace Tpwatch.Forecast;

/// <summary>
/// When an item queued now starts and when the backlog is gone, by items that were measured one by one: how long those that ended lately
/// held their workers, and since when those at work hold theirs. The counters tell only how many ended.
/// </summary>
static class MeasuredForecast
{
    /// <summary>From fewer run times nothing is concluded; what the counters tell stands.</summary>
    const int FewestEnded = 10;

    /// <summary>
    /// The newest of them. Of 1000 a change of run times shows later (median error of the start delay across a change 44 % instead of 36
    /// %), and where run times stay as they are they tell no more (13 % and 13 %).
    /// </summary>
    const int Newest = 300;

    /// <summary>
    /// So often the backlog drains in imagination, its run times each time in another order; about a millisecond of work.
    /// </summary>
    const int Orders = 5;

    static readonly PortablePolicy Policy = new();

    /// <summary>Items are told by a stream of their own, a heartbeat apart at most; one that is further behind has ended.</summary>
    const double BehindMs = 2500;

    /// <summary>The forecast, told by what was measured where enough was.</summary>
    /// <param name="forecast">By the counters.</param>
    /// <param name="drains">What the backlog drains by; null when nothing waits.</param>
    /// <param name="items">As measured.</param>
    public static PoolForecast? Sharpen(PoolForecast? forecast, DrainBasis? drains, ItemSnapshot items)
    {
        if (drains is not { } basis || forecast is not { StartDelayOfNewItem: { } counted }
            || !Sees(items, basis) || Newly(items) is not { Runs.Count: >= FewestEnded } ended)
        {
            return forecast;
        }

        // Of all that began since the probe listens those that still run are the longest; of those that ended in a
        // while of many, long ones are as many as ever.
        var at = EventTime.Max(basis.At, items.Listened.To);
        var survival = RunTimeSurvival.Of(ended.Runs, ended.AreAll ? items.Running.Select(i => at.MsSince(i.Taken)) : []);
        var cases = Enumerable.Range(0, Orders).Select(order => Case(at, basis, items, new(survival, order)))
            .Select(c => (Case: c, Drained: DrainRun.Of(Policy, c))).OrderBy(c => c.Drained.StartDelayMs).ToArray();
        var (usual, drained) = cases[Orders / 2];
        var goneMs = cases.Select(c => c.Drained.GoneMs).Order().ElementAt(Orders / 2);
        // While nothing has ended since items began to wait the lower bound stands against a shorter
        // wait: what ran before a hang says nothing of it.
        return !double.IsFinite(drained.StartDelayMs) || (counted.EstimateMs is null && drained.StartDelayMs < counted.MinMs)
            ? forecast
            : forecast with
            {
                StartDelayOfNewItem = new(
                    at, cases[0].Drained.StartDelayMs, cases[^1].Drained.StartDelayMs, drained.StartDelayMs, Basis(usual, ended.Runs)),
                BacklogGone = usual.Gone(goneMs),
            };
    }

    /// <summary>Whether the probe still listens and knows what the workers work on that the counters tell of.</summary>
    static bool Sees(ItemSnapshot items, DrainBasis basis) =>
        basis.At.MsSince(items.Listened.To) <= BehindMs && items.Running.Length >= Math.Max(1, basis.Working) && Backlog(items, basis) > 0;

    // Items that a waiting thread ran itself seem to wait until the queue is empty once; what was
    // queued before the probe began is not seen at all.
    static long Backlog(ItemSnapshot items, DrainBasis basis) =>
        items.KnowsWaiting ? Math.Min(items.Waiting, basis.Backlog) : basis.Backlog;

    /// <summary>How long those held their workers that ended last, and whether none ended before them.</summary>
    static (DurationCounts Runs, bool AreAll) Newly(ItemSnapshot items)
    {
        var (first, count) = (items.Slices.Length, 0L);
        while (first > 0 && count < Newest)
        {
            count += items.Slices[--first].Run.Count;
        }

        return (DurationCounts.Sum(items.Slices.Skip(first).Select(slice => slice.Run)), first == 0);
    }

    static DrainCase Case(EventTime at, DrainBasis basis, ItemSnapshot items, DrawnRunTimes runs)
    {
        var free = items.Running.Select((item, i) => runs.LeftMs(Math.Max(0, at.MsSince(item.Taken)), i));
        return basis.Case(at, free, runs.All.MeanMs) with
        {
            Backlog = Backlog(items, basis),
            ArrivalsPerMs = basis.ArrivalsPerMs,
            ToTheEnd = true,
            RunMsOf = runs.OfMs,
            LastDequeueMs = Math.Min(0, items.Running.Max(i => i.Taken).MsSince(at)),
        };
    }

    static string Basis(DrainCase given, DurationCounts runs) =>
        $"{Format.Plural(given.Backlog, "item")} ahead of it, {Format.Plural(given.FreeMs.Length, "busy worker thread")}. "
        + $"{Format.Plural(runs.Count, "item")} completed so far. Half of the items held their thread for at most "
        + $"{Format.Duration(runs.QuantileMs(0.5))}, one in ten for {Format.Duration(runs.QuantileMs(0.9))} or more. {DrainCase.Rules}";
}
