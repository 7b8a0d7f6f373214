using Tpwatch.WhatIf;
using static Tpwatch.Tests.Forecast.MeasuredForecastTests;

namespace Tpwatch.Tests.Forecast;

/// <summary>What measured items say of an item queued now while some of them hang.</summary>
public sealed class HangingItemsTests
{
    [Fact]
    public void Threads_that_hang_take_no_item()
    {
        // One of eight works off what waits, ten milliseconds an item.
        const double At = 60_700;
        var pool = new FifoPool(8, Enumerable.Range(0, 8000).Select(i => i * 0.1), item => item < 7 ? 600_000 : 10);
        var said = Sharpen(pool.Counted(At), pool.Seen(At))!;
        Assert.InRange(said.StartDelayOfNewItem!.EstimateMs!.Value, 0.9 * pool.DelayAt(At), 1.1 * pool.DelayAt(At));
        Assert.InRange(said.QueueEmpty!.At!.Value.MsSince(FifoPool.At(At)), 0.9 * (pool.LastStart - At), 1.1 * (pool.LastStart - At));
    }

    [Fact]
    public void What_ran_before_a_hang_says_nothing_of_what_hangs()
    {
        // 400 short ones, a pause, and then none ends any more.
        double[] arrivals = [.. Enumerable.Range(0, 400).Select(i => i * 5.0), .. Enumerable.Range(0, 60).Select(i => 8000 + i * 0.1)];
        var pool = new FifoPool(10, arrivals, item => item < 400 ? 10 : 600_000);
        var tracker = pool.Counted(30_700);
        var forecast = MeasuredForecastTests.Forecast(tracker);
        Assert.Null(forecast.StartDelayOfNewItem!.EstimateMs);
        Assert.Same(forecast, MeasuredForecast.Sharpen(forecast, tracker.Drains, pool.Seen(30_700)));
    }
}
