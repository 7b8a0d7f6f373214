using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// Forecasts from items measured one by one when an item queued now starts and when the queue is empty. Known are the mean time that
/// recently completed items held their worker threads, and since when running items hold theirs. The counters show only how many completed.
/// </summary>
static class MeasuredForecast
{
    /// <summary>Minimum number of run times; with fewer, the forecast by counters stays.</summary>
    const int FewestEnded = 10;

    /// <summary>
    /// Number of newest run times used. With 1000, a change of run times shows later, and unchanged run times are not more exact.
    /// </summary>
    const int Newest = 300;

    /// <summary>
    /// Maximum time by which the newest item event may lag behind, milliseconds. Items have a stream of their own, normally at most one
    /// counter sample behind; a stream that lags more has ended.
    /// </summary>
    const double BehindMs = 2500;

    static readonly PortablePolicy Policy = new();

    /// <summary>Returns the forecast, based on measured items where there are enough of them.</summary>
    /// <param name="forecast">The forecast by the counters.</param>
    /// <param name="drains">The case by which the queue drains according to the counters; null when no item waits.</param>
    /// <param name="items">The measured items.</param>
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
        // The mean run time of this number of items lies within two standard errors of the mean of all items.
        var doubt = 1 + 2 * spread / mean / Math.Sqrt(given.QueueLength + given.FreeMs.Length);
        double Delay(double by) => DrainRun.Of(Policy, Case(drains, items, [.. left.Select(ms => ms * by)], mean * by)).StartDelayMs;
        double[] delays = [.. new[] { drained.StartDelayMs, Delay(1 / doubt), Delay(doubt) }.Order()];
        // Until an item completes after items began to wait, the counters' lower bound takes precedence over a shorter measured delay.
        // Items that ran before a hang say nothing about the hang.
        return !double.IsFinite(drained.StartDelayMs) || (counted.EstimateMs is null && drained.StartDelayMs < counted.MinMs)
            ? forecast
            : forecast with
            {
                StartDelayOfNewItem = new(given.At, delays[0], delays[2], drained.StartDelayMs, Basis(given, ended)),
                QueueEmpty = given.Gone(drained),
            };
    }

    /// <summary>Whether the probe still listens and knows the items of all worker threads that the counters show as busy.</summary>
    static bool Sees(ItemSnapshot items, DrainCase drains) =>
        drains.At.MsSince(items.Listened.To) <= BehindMs && items.Running.Length >= drains.FreeMs.Length && QueueLength(items, drains) > 0;

    // Items that a waiting thread ran inline seem to wait until the queue is empty once. Items queued before the probe began are not seen
    // at all.
    static long QueueLength(ItemSnapshot items, DrainCase drains) =>
        items.KnowsWaiting ? Math.Min(items.Waiting, drains.QueueLength) : drains.QueueLength;

    /// <summary>Returns how long the most recently completed items held their worker threads.</summary>
    static DurationCounts Newly(ItemSnapshot items)
    {
        var (first, count) = (items.Slices.Length, 0L);
        while (first > 0 && count < Newest)
        {
            count += items.Slices[--first].Run.Count;
        }

        return DurationCounts.Sum(items.Slices.Skip(first).Select(slice => slice.Run));
    }

    /// <summary>Returns mean and standard deviation of the run times, milliseconds.</summary>
    static (double Mean, double Spread) MeanMs(DurationCounts runs)
    {
        double Mean(Func<double, double> of) => runs.Filled.Sum(b => of(runs.MiddleMs(b.Index)) * b.Count) / runs.Count;
        var mean = Mean(ms => ms);
        return (mean, Math.Sqrt(Mean(ms => (ms - mean) * (ms - mean))));
    }

    /// <summary>
    /// Returns how much longer an item holds its worker thread after <paramref name="ageMs"/> milliseconds: the mean of the measured items
    /// that held their thread longer. Without such items, the item hangs or is of an unknown kind, and the same time again is assumed.
    /// </summary>
    static double LeftMs(DurationCounts runs, double ageMs)
    {
        var longer = runs.Filled.Select(b => (Ms: runs.MiddleMs(b.Index), b.Count)).Where(run => run.Ms > ageMs).ToArray();
        var longest = runs.MaxNs / 1e6;
        return longer.Length > 0 ? longer.Sum(run => run.Ms * run.Count) / longer.Sum(run => run.Count) - ageMs
            : ageMs <= longest ? longest - ageMs
            : ageMs;
    }

    /// <summary>
    /// Returns the case in which running items continue for <paramref name="leftMs"/> after the newest item event, and waiting items run
    /// for <paramref name="runMs"/>.
    /// </summary>
    static DrainCase Case(DrainCase drains, ItemSnapshot items, double[] leftMs, double runMs)
    {
        var at = EventTime.Max(drains.At, items.Listened.To);
        var passed = at.MsSince(items.Listened.To);
        return drains with
        {
            At = at,
            FreeMs = DrainCase.Working(leftMs.Select(ms => Math.Max(0, ms - passed)), drains.FreeMs.Length),
            RunMs = runMs,
            QueueLength = QueueLength(items, drains),
            LastDequeueMs = Math.Min(0, items.Running.Max(i => i.Taken).MsSince(at)),
        };
    }

    static string Basis(DrainCase given, DurationCounts runs) =>
        $"{given.Ahead} {Format.Plural(runs.Count, "item")} completed so far. Half of the items held their thread for at most "
        + $"{Format.Duration(runs.QuantileMs(0.5))}, one in ten for {Format.Duration(runs.QuantileMs(0.9))} or more. {given.Rules}";
}
