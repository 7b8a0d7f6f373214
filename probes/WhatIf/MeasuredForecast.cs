using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.WhatIf;

/// <summary>
/// Forecasts, from work items that were measured one by one, when an item queued now starts and when the queue is empty. Unlike counters,
/// measured items show how long recent items held a worker thread and how long running items have held one.
/// </summary>
static class MeasuredForecast
{
    /// <summary>Minimum number of measured run times; with fewer, the forecast by counters is kept.</summary>
    const int FewestEnded = 10;

    /// <summary>Number of newest run times used. With more, the forecast would follow a change of run times later.</summary>
    const int Newest = 300;

    /// <summary>
    /// Maximum time by which the newest item event may be older than the newest counter sample, milliseconds. Item events have a session of
    /// their own and are normally one sample behind at most; a session that is further behind has ended.
    /// </summary>
    const double BehindMs = 2500;

    static readonly PortablePolicy Policy = new();

    /// <summary>Returns the forecast by measured items if there are enough of them, else the forecast by the counters.</summary>
    /// <param name="forecast">The forecast by the counters.</param>
    /// <param name="drains">The queue and worker threads according to the counters, for the simulation; null when no item waits.</param>
    /// <param name="items">The measured items.</param>
    public static PoolForecast? Sharpen(PoolForecast? forecast, QueueDrainState? drains, ItemSnapshot items)
    {
        if (drains is null || forecast is not { StartDelayOfNewItem: { } counted }
            || !Sees(items, drains) || Newly(items) is not { Count: >= FewestEnded, MaxNs: > 0 } ended)
        {
            return forecast;
        }

        var (mean, spread) = MeanMs(ended);
        var left = items.Running.Select(i => LeftMs(ended, items.Listened.To.MsSince(i.Taken))).ToArray();
        var given = Case(drains, items, left, mean);
        var drained = PoolSimulator.Drain(Policy, given);
        // The mean run time of these items lies within two standard errors of the mean of all items.
        var doubt = 1 + 2 * spread / mean / Math.Sqrt(given.QueueLength + given.FreeMs.Length);
        double Delay(double by) =>
            PoolSimulator.Drain(Policy, Case(drains, items, [.. left.Select(ms => ms * by)], mean * by)).StartDelayMs;
        double[] delays = [.. new[] { drained.StartDelayMs, Delay(1 / doubt), Delay(doubt) }.Order()];
        // The measured items may have run before a hang and say nothing about it. So a lower bound by the counters takes precedence over a
        // shorter measured delay.
        return !double.IsFinite(drained.StartDelayMs) || (counted.EstimateMs is null && drained.StartDelayMs < counted.MinMs)
            ? forecast
            : forecast with
            {
                StartDelayOfNewItem = new(given.At, delays[0], delays[2], drained.StartDelayMs, Basis(given, ended)),
                QueueEmpty = given.Gone(drained),
            };
    }

    /// <summary>Whether items are still measured, and the items of all busy worker threads are known.</summary>
    static bool Sees(ItemSnapshot items, QueueDrainState drains) =>
        drains.At.MsSince(items.Listened.To) <= BehindMs && items.Running.Length >= drains.FreeMs.Length && QueueLength(items, drains) > 0;

    // Returns the number of queued items. The measured items count only after the queue was empty once: until then, earlier items are
    // missing, and items that a waiting thread ran inline are included.
    static long QueueLength(ItemSnapshot items, QueueDrainState drains) =>
        items.KnowsWaiting ? Math.Min(items.Waiting, drains.QueueLength) : drains.QueueLength;

    /// <summary>Returns the run times of at least <see cref="Newest"/> recent items, or of all if there are fewer.</summary>
    static DurationCounts Newly(ItemSnapshot items)
    {
        var (first, count) = (items.Slices.Length, 0L);
        while (first > 0 && count < Newest)
        {
            count += items.Slices[--first].Run.Count;
        }

        return DurationCounts.Sum(items.Slices.Skip(first).Select(slice => slice.Run));
    }

    /// <summary>Returns mean and standard deviation of run times, milliseconds.</summary>
    static (double Mean, double Spread) MeanMs(DurationCounts runs)
    {
        double Mean(Func<double, double> of) => runs.Filled.Sum(b => of(runs.MiddleMs(b.Index)) * b.Count) / runs.Count;
        var mean = Mean(ms => ms);
        return (mean, Math.Sqrt(Mean(ms => (ms - mean) * (ms - mean))));
    }

    /// <summary>
    /// Returns for how much longer an item that has run for <paramref name="ageMs"/> will run: until the mean of the measured items that
    /// ran longer. If none did, the item hangs or is of another kind, and is assumed to run twice as long as so far.
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
    /// Returns the queue and worker threads for the simulation: running items run on for <paramref name="leftMs"/> after the newest item
    /// event, and waiting items run for <paramref name="runMs"/>.
    /// </summary>
    static QueueDrainState Case(QueueDrainState drains, ItemSnapshot items, double[] leftMs, double runMs)
    {
        var at = EventTime.Max(drains.At, items.Listened.To);
        var passed = at.MsSince(items.Listened.To);
        return drains with
        {
            At = at,
            FreeMs = QueueDrainState.Working(leftMs.Select(ms => Math.Max(0, ms - passed)), drains.FreeMs.Length),
            RunMs = runMs,
            QueueLength = QueueLength(items, drains),
            LastDequeueMs = Math.Min(0, items.Running.Max(i => i.Taken).MsSince(at)),
        };
    }

    static string Basis(QueueDrainState given, DurationCounts runs) =>
        given.Basis(ForecastWords.Held(runs.Count, runs.QuantileMs(0.5), runs.QuantileMs(0.9)));
}
