using Tpwatch.Reports;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.Forecast;

/// <summary>What measured items say of an item queued now, beside what the counters say and the truth.</summary>
public sealed class MeasuredForecastTests
{
    const int Workers = 10;
    const double BeatMs = 1000;
    static readonly int[] Seeds = [1, 2];

    [Fact]
    public void Of_items_that_run_equally_long_it_comes_as_near_to_the_truth_as_the_counters()
    {
        var errors = Errors(new(Workers, Arrivals(600), _ => 500)).ToArray();
        Assert.InRange(Median(errors.Select(e => e.Measured)), 0, Median(errors.Select(e => e.Counted)) + 0.02);
    }

    [Fact]
    public void In_a_deep_queue_of_items_that_differ_much_it_is_hardly_worse_than_the_counters()
    {
        // Chance rules there: with the true mean known the median error is 7 % still, and that of two pools anything from 4 to 20 %.
        var errors = Enumerable.Range(1, 12).SelectMany(seed => Errors(Mixed(seed))).ToArray();
        Assert.InRange(Median(errors.Select(e => e.Measured)), 0, 1.3 * Median(errors.Select(e => e.Counted)));
    }

    [Fact]
    public void In_a_short_queue_of_items_that_differ_much_it_is_better_than_the_counters() =>
        IsBetter(Seeds.SelectMany(seed => Errors(Short(seed))));

    [Fact]
    public void When_items_begin_to_take_longer_it_is_better_than_the_counters() =>
        IsBetter(Errors(new(Workers, Arrivals(600), item => item < 200 ? 300 : 1500)));

    [Fact]
    public void The_band_holds_the_truth_for_most()
    {
        var (within, all) = (0, 0);
        foreach (var seed in Enumerable.Range(1, 6))
        {
            var pool = Mixed(seed);
            foreach (var (at, said) in Said(pool))
            {
                all++;
                within += pool.DelayAt(at) >= said.MinMs * 0.9 && pool.DelayAt(at) <= said.MaxMs * 1.1 ? 1 : 0;
            }
        }

        Assert.True(within >= 0.7 * all, $"{within} of {all}");
    }

    [Fact]
    public void The_basis_says_what_was_measured()
    {
        var said = Said(new(Workers, Arrivals(600), _ => 500)).Last().Said;
        Assert.Matches(
            @"^Ahead of a new item: \d+ items\. Busy worker threads: 10\. \d+ items completed so far\. "
                + @"Half of the items held their thread for at most 500 ms",
            said.Basis);
    }

    [Fact]
    public void Before_enough_have_ended_the_counters_have_the_word()
    {
        var pool = new FifoPool(Workers, Arrivals(600), _ => 5000);
        var tracker = pool.Counted(2700);
        var forecast = Forecast(tracker);
        Assert.NotNull(forecast.StartDelayOfNewItem);
        Assert.Same(forecast, MeasuredForecast.Sharpen(forecast, tracker.Drains, pool.Seen(2700)));
    }

    [Fact]
    public void A_probe_that_has_ended_or_sees_other_work_than_the_counters_has_no_say()
    {
        var pool = new FifoPool(Workers, Arrivals(600), _ => 500);
        var tracker = pool.Counted(9700);
        var forecast = Forecast(tracker);
        var seen = pool.Seen(9700);
        Assert.NotSame(forecast, MeasuredForecast.Sharpen(forecast, tracker.Drains, seen));
        Assert.Same(forecast, MeasuredForecast.Sharpen(forecast, tracker.Drains, pool.Seen(6000)));
        Assert.Same(forecast, MeasuredForecast.Sharpen(forecast, tracker.Drains, seen with { Running = [.. seen.Running.Skip(1)] }));
        Assert.Same(forecast, MeasuredForecast.Sharpen(forecast, tracker.Drains, seen with { Waiting = 0 }));
    }

    [Fact]
    public void Where_nothing_waits_nothing_is_said()
    {
        var pool = new FifoPool(Workers, Arrivals(600), _ => 500);
        var nothing = new PoolForecast { At = FifoPool.At(0) };
        Assert.Same(nothing, MeasuredForecast.Sharpen(nothing, null, pool.Seen(9000)));
        Assert.Null(MeasuredForecast.Sharpen(null, null, pool.Seen(9000)));
    }

    [Fact]
    public void The_end_of_the_backlog_is_foretold_from_them_too()
    {
        const double At = 9700;
        var ratios = Enumerable.Range(1, 9).Select(Mixed)
            .Select(pool => (pool.LastStart, Said: Sharpen(pool.Counted(At), pool.Seen(At))!.QueueEmpty!))
            .Select(p => p.Said.At!.Value.MsSince(FifoPool.At(At)) / (p.LastStart - At));
        Assert.InRange(Median(ratios), 0.8, 1.2);
    }

    // Nine of ten are short; the tenth takes sixty times as long, and most of the workers' time.
    static FifoPool Mixed(int seed)
    {
        var random = new Random(seed);
        return new(Workers, Arrivals(1500), _ => random.NextDouble() < 0.1 ? 3000 : 50);
    }

    // The same items at nine tenths of what the workers take, now and then a queue.
    static FifoPool Short(int seed)
    {
        var (runs, waits, at) = (new Random(seed), new Random(seed + 100), 0.0);
        double[] arrivals = [.. Enumerable.Range(0, 1500).Select(_ => at += -36 * Math.Log(1 - waits.NextDouble()))];
        return new(Workers, arrivals, _ => runs.NextDouble() < 0.1 ? 3000 : 50);
    }

    static void IsBetter(IEnumerable<(double Measured, double Counted)> errors)
    {
        var all = errors.ToArray();
        var (measured, counted) = (Median(all.Select(e => e.Measured)), Median(all.Select(e => e.Counted)));
        Assert.True(all.Length >= 8, $"{all.Length} heartbeats");
        Assert.True(measured <= 0.9 * counted, $"median error {measured:0.000} measured, {counted:0.000} by counters");
    }

    static IEnumerable<double> Arrivals(int items) => Enumerable.Range(0, items).Select(i => i * 0.1);

    static IEnumerable<(double Measured, double Counted)> Errors(FifoPool pool)
    {
        foreach (var (at, said) in Said(pool))
        {
            var (truth, counted) = (pool.DelayAt(at), pool.Counted(at).StartDelay!);
            yield return (Math.Abs(said.EstimateMs!.Value - truth) / truth,
                Math.Abs((counted.EstimateMs ?? counted.MinMs) - truth) / truth);
        }
    }

    static IEnumerable<(double At, QueueTimeForecast Said)> Said(FifoPool pool)
    {
        for (var at = 3700.0; at < pool.LastStart - 2000; at += 6 * BeatMs)
        {
            if (pool.DelayAt(at) > 300 && pool.QueueLengthAt(at) > 0
                && Sharpen(pool.Counted(at), pool.Seen(at))!.StartDelayOfNewItem is { EstimateMs: not null } said)
            {
                yield return (at, said);
            }
        }
    }

    internal static PoolForecast? Sharpen(StartDelayForecast queue, ItemSnapshot seen) =>
        MeasuredForecast.Sharpen(Forecast(queue), queue.Drains, seen);

    internal static PoolForecast Forecast(StartDelayForecast queue) => new()
    {
        At = queue.StartDelay!.At,
        StartDelayOfNewItem = queue.StartDelay,
        QueueEmpty = queue.Gone,
    };

    static double Median(IEnumerable<double> values) => values.Order().ToArray() is var sorted ? sorted[sorted.Length / 2] : 0;
}
