using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>
/// When an item queued now starts and when the backlog is gone, by items that were measured one by one: how long those that ended lately
/// held their workers in the mean, and since when those at work hold theirs. The counters tell only how many ended.
/// </summary>
static class MeasuredForecast
{
    /// <summary>From fewer run times nothing is concluded; what the counters tell stands.</summary>
    const int FewestEnded = 10;

    /// <summary>The newest of them. Of 1000 a change of run times shows later, and where they stay as they are they tell no more.</summary>
    const int Newest = 300;

    /// <summary>Items are told by a stream of their own, a heartbeat apart at most; one that is further behind has ended.</summary>
    const double BehindMs = 2500;

    static readonly PortablePolicy Policy = new();

    /// <summary>The forecast, told by what was measured where enough was.</summary>
    /// <param name="forecast">By the counters.</param>
    /// <param name="drains">What the backlog drains by as the counters tell; null when nothing waits.</param>
    /// <param name="items">As measured.</param>
    public static PoolForecast? Sharpen(PoolForecast? forecast, DrainCase? drains, ItemSnapshot items)
    {
        if (drains is null || forecast is not { StartDelayOfNewItem: { } counted }
            || !Sees(items, drains) || Newly(items) is not { Count: >= FewestEnded, MaxNs: > 0 } ended)
        {
            return forecast;
        }

        var (mean, spread) = MeanMs(ended);
        var left = items.Running.Select(i => LeftMs(ended, items.Listened.To.MsSince(i.Taken))).ToArray();
        var given = Case(drains, items, left, mean);
        var drained = DrainRun.Of(Policy, given);
        // The mean of so many unlike items lies within two standard errors of that of all.
        var doubt = 1 + 2 * spread / mean / Math.Sqrt(given.Backlog + given.FreeMs.Length);
        double Delay(double by) => DrainRun.Of(Policy, Case(drains, items, [.. left.Select(ms => ms * by)], mean * by)).StartDelayMs;
        double[] delays = [.. new[] { drained.StartDelayMs, Delay(1 / doubt), Delay(doubt) }.Order()];
        // While nothing has ended since items began to wait the lower bound stands against a shorter
        // wait: what ran before a hang says nothing of it.
        return !double.IsFinite(drained.StartDelayMs) || (counted.EstimateMs is null && drained.StartDelayMs < counted.MinMs)
            ? forecast
            : forecast with
            {
                StartDelayOfNewItem = new(given.At, delays[0], delays[2], drained.StartDelayMs, Basis(given, ended)),
                BacklogGone = given.Gone(drained),
            };
    }

    /// <summary>Whether the probe still listens and knows what the workers work on that the counters tell of.</summary>
    static bool Sees(ItemSnapshot items, DrainCase drains) =>
        drains.At.MsSince(items.Listened.To) <= BehindMs && items.Running.Length >= drains.FreeMs.Length && Backlog(items, drains) > 0;

    // Items that a waiting thread ran itself seem to wait until the queue is empty once; what was
    // queued before the probe began is not seen at all.
    static long Backlog(ItemSnapshot items, DrainCase drains) =>
        items.KnowsWaiting ? Math.Min(items.Waiting, drains.Backlog) : drains.Backlog;

    /// <summary>How long those held their workers that ended last.</summary>
    static DurationCounts Newly(ItemSnapshot items)
    {
        var (first, count) = (items.Slices.Length, 0L);
        while (first > 0 && count < Newest)
        {
            count += items.Slices[--first].Run.Count;
        }

        return DurationCounts.Sum(items.Slices.Skip(first).Select(slice => slice.Run));
    }

    /// <summary>Mean and standard deviation, milliseconds.</summary>
    static (double Mean, double Spread) MeanMs(DurationCounts runs)
    {
        double Mean(Func<double, double> of) => runs.Filled.Sum(b => of(runs.MiddleMs(b.Index)) * b.Count) / runs.Count;
        var mean = Mean(ms => ms);
        return (mean, Math.Sqrt(Mean(ms => (ms - mean) * (ms - mean))));
    }

    /// <summary>
    /// How much longer an item holds its worker that has held it so long: the mean of those that held theirs longer. If none did, it hangs
    /// or is of another kind, of which nothing is known: as long again.
    /// </summary>
    static double LeftMs(DurationCounts runs, double ageMs)
    {
        var longer = runs.Filled.Select(b => (Ms: runs.MiddleMs(b.Index), b.Count)).Where(run => run.Ms > ageMs).ToArray();
        var longest = runs.MaxNs / 1e6;
        return longer.Length > 0 ? longer.Sum(run => run.Ms * run.Count) / longer.Sum(run => run.Count) - ageMs
            : ageMs <= longest ? longest - ageMs
            : ageMs;
    }

    /// <summary>The backlog where those that run go on for so long after the newest item event, and those that wait run so long.</summary>
    static DrainCase Case(DrainCase drains, ItemSnapshot items, double[] leftMs, double runMs)
    {
        var at = EventTime.Max(drains.At, items.Listened.To);
        var passed = at.MsSince(items.Listened.To);
        return drains with
        {
            At = at,
            FreeMs = DrainCase.Working(leftMs.Select(ms => Math.Max(0, ms - passed)), drains.FreeMs.Length),
            RunMs = runMs,
            Backlog = Backlog(items, drains),
            LastDequeueMs = Math.Min(0, items.Running.Max(i => i.Taken).MsSince(at)),
        };
    }

    static string Basis(DrainCase given, DurationCounts runs) =>
        $"{given.Ahead} {Format.Plural(runs.Count, "item")} completed so far. Half of the items held their thread for at most "
        + $"{Format.Duration(runs.QuantileMs(0.5))}, one in ten for {Format.Duration(runs.QuantileMs(0.9))} or more. {given.Rules}";
}
