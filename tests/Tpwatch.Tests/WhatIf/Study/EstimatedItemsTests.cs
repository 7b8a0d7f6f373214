using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using Tpwatch.WhatIf;
using static Tpwatch.Tests.Properties.Seeds;
using static Tpwatch.Tests.WhatIf.Worlds;

namespace Tpwatch.Tests.WhatIf.Study;

/// <summary>Items that are known, seen through counters of a second and the workers' moments alone.</summary>
public sealed class EstimatedItemsTests
{
    const double StartMs = 5_000;

    /// <summary>
    /// Where the pool's growth is matched better by items that end in turn, those are taken; that is wrong here, and rare.
    /// </summary>
    [Fact]
    public void A_burst_of_like_items_is_found_again()
    {
        var (bursts, misses) = (0, 0);
        ForAnySeed(seed =>
        {
            var random = new Random(seed);
            var settings = new PoolSettings(random.Next(1, 9), random.Next(1, 9), 1_000);
            var (count, hold) = (random.Next(settings.Min + 1, 60), random.Next(600, 5_000));
            var seen = Look(settings, [.. Enumerable.Repeat(new SimulatedItem(At(StartMs), 0, hold), count)]);
            var found = seen.Missing is null && seen.Items.Length == count
                && Math.Abs(seen.Items[0].Queued.MsSince(At(StartMs))) < 5
                && Math.Abs(seen.Items[^1].BlockMs - hold) < hold * 0.03;
            (bursts, misses) = (bursts + 1, misses + (found ? 0 : 1));
            return true;
        }, tests: 100);
        Assert.True(misses <= bursts / 10, $"{misses} of {bursts} bursts were taken for something else");
    }

    [Fact]
    public void A_steady_load_beyond_the_pools_strength_is_found_again()
    {
        ForAnySeed(seed =>
        {
            var random = new Random(seed);
            var settings = new PoolSettings(2, random.Next(2, 5), 8);
            var (every, hold) = (random.Next(10, 40), random.Next(300, 900));
            var items = Enumerable.Range(0, random.Next(150, 300)).Select(n =>
                new SimulatedItem(At(StartMs + n * every), 0, hold)).ToArray();
            var seen = Look(settings, items);
            var late = seen.Items.Zip(items, (one, other) => Math.Abs(one.Queued.MsSince(other.Queued))).Average();
            return seen.Items.Length == items.Length && late < 60 && Math.Abs(seen.Items[^1].BlockMs - hold) < hold * 0.05;
        }, tests: 40);
    }

    [Theory]
    [InlineData(2, 60, 2_000)]
    [InlineData(8, 200, 1_500)]
    [InlineData(4, 90, 3_000)]
    public void Waits_for_tasks_are_told_from_what_the_pool_delays_itself(int processors, int count, double hold)
    {
        var settings = new PoolSettings(processors, processors, 1_000);
        var seen = Look(settings, [.. Enumerable.Repeat(new SimulatedItem(At(StartMs), 0, hold, Blocking.PoolTask), count)]);

        Assert.All(seen.Items, item => Assert.Equal(Blocking.PoolTask, item.Blocking));
        Assert.Equal(count, seen.Items.Length);
        Assert.Equal(hold, seen.Items[0].BlockMs, hold * 0.05);
    }

    [Fact]
    public void Items_of_which_none_ended_are_taken_to_last()
    {
        var run = PoolSimulator.Of(new PortablePolicy(GateClock.LinuxMeasured), new(new(2, 2, 100), At(600_000)),
            [.. Enumerable.Repeat(new SimulatedItem(At(StartMs), 0, 60_000), 20)]);
        var seen = new EstimatedItems().Look(PlayedRun.Report(run, new(2, 2, 100), watchedMs: 10_000));

        Assert.Equal(double.PositiveInfinity, seen.Items[0].BlockMs);
        Assert.Contains("No item completed", seen.Basis, StringComparison.Ordinal);
        Assert.Null(seen.Ended);
    }

    [Fact]
    public void Without_a_heartbeat_and_without_items_it_says_so()
    {
        Assert.Contains("counter samples", new EstimatedItems().Look(Render.SampleReports.Healthy()).Missing, StringComparison.Ordinal);
        var idle = new PoolScript().Processors(8).CounterSamples(0).Pass(10_000).Report();
        Assert.Contains("no work item ran", new EstimatedItems().Look(idle).Missing, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_the_time_between_counter_samples_is_not_known_none_is_told()
    {
        var settings = new PoolSettings(2, 2, 100);
        var run = PoolSimulator.Of(new PortablePolicy(GateClock.LinuxMeasured), new(settings, At(600_000)),
            [.. Enumerable.Repeat(new SimulatedItem(At(StartMs), 0, 2_000), 20)]);
        var report = PlayedRun.Report(run, settings);
        Assert.Contains("counter samples every 1 s and thread events", new EstimatedItems().Look(report).Basis, StringComparison.Ordinal);

        var samples = report.Timeline.CounterSamples;
        var unknown = report with
        {
            Timeline = report.Timeline with
            {
                CounterSamples = samples
                .SetItem(samples.Length - 1, samples[^1] with { IntervalMs = null })
            },
        };
        Assert.Contains("counter samples and thread events", new EstimatedItems().Look(unknown).Basis, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(3, false)]
    [InlineData(5, true)]
    public void Only_rises_for_task_waits_tell_of_task_waits(int rises, bool waitsForTasks)
    {
        var script = new PoolScript().Opening().CounterSamples(50).Repeat(4, s => s.StarvationAfter(1001.5));
        var report = script.Repeat(rises, s => s.CooperativeAfter(1500).WithdrawTo(12)).Report();
        Assert.Equal(4, report.Adjustments[AdjustmentReason.Starvation]);
        Assert.Equal(2 * rises, report.Adjustments[AdjustmentReason.CooperativeBlocking]);
        Assert.Equal(waitsForTasks, ObservedPool.WaitsForTasks(report));
    }

    static ItemsSeen Look(PoolSettings settings, SimulatedItem[] items)
    {
        var run = PoolSimulator.Of(new PortablePolicy(GateClock.LinuxMeasured), new(settings, At(3_600_000)), items);
        // The end of a wait for a task is an item of its own.
        return new EstimatedItems().Look(
            PlayedRun.Report(run, settings, completionsPerItem: items[0].Blocking == Blocking.PoolTask ? 2 : 1));
    }
}
