using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.WhatIf;
using static Tpwatch.Tests.Properties.Seeds;
using static Tpwatch.Tests.WhatIf.Lives;
using static Tpwatch.Tests.WhatIf.Worlds;

namespace Tpwatch.Tests.WhatIf;

/// <summary>Waits whose end is work for the pool itself, items that await, and goals that others move.</summary>
public sealed class PoolTaskTests
{
    /// <summary>
    /// As a run with sync-over-async showed: those that end together end behind the whole queue, but for one a list of timers.
    /// </summary>
    [Fact]
    public void Waits_that_end_together_end_behind_what_is_queued()
    {
        var items = Enumerable.Repeat(new SimulatedItem(At(0), 0, 1_000, Blocking.PoolTask), 6).ToArray();
        var result = PoolSimulator.Of(new NativePolicy(GateClock.Ideal), new(new(1, 3, 10), At(60_000)), items);

        Assert.Equal(1_001, result.Items[0].Ended!.Value.Milliseconds, 2.0);
        Assert.All(result.Items.Skip(1).Take(2), item => Assert.True(item.Ended!.Value.Milliseconds > 1_900));
        Assert.All(result.Items, item => Assert.NotNull(item.Ended));
    }

    [Fact]
    public void With_every_worker_waiting_at_max_no_wait_ever_ends()
    {
        var items = Enumerable.Repeat(new SimulatedItem(At(0), 0, 100, Blocking.PoolTask), 3).ToArray();
        var result = PoolSimulator.Of(new PortablePolicy(GateClock.Ideal), new(new(1, 2, 2), At(60_000)), items);

        Assert.Null(result.TotalMs);
        Assert.Equal(2, result.Items.Count(item => item.Started is not null));
    }

    [Fact]
    public void Below_max_every_wait_ends_and_lasts_at_least_as_long_as_its_task() => ForAnySeed(seed =>
    {
        var random = new Random(seed);
        var items = AnyItems(random).Select(item => item with { Blocking = Blocking.PoolTask }).ToArray();
        var result = PoolSimulator.Of(
            new PortablePolicy(GateClock.Ideal), new(AnySettings(random) with { Max = 1_000 }, At(3_600_000)), items);
        return result.Items.Zip(items).All(pair =>
            pair.First.Ended is { } ended && ended.MsSince(pair.First.Started!.Value) >= pair.Second.RunMs + pair.Second.BlockMs - 0.01);
    }, tests: 100);

    [Fact]
    public void Items_that_await_hold_no_worker()
    {
        var items = Enumerable.Repeat(new SimulatedItem(At(0), 1, 500, Blocking.Awaits), 10).ToArray();
        var result = PoolSimulator.Of(new PortablePolicy(GateClock.Ideal), new(new(1, 1, 1), At(60_000)), items);

        Assert.Equal(510.45, result.TotalMs!.Value, 0.01);
        Assert.Equal(1, result.Curve[^1].Workers);
    }

    [Fact]
    public void Moves_of_others_change_the_goal_within_min_and_max()
    {
        var items = Enumerable.Repeat(new SimulatedItem(At(0), 0, 10_000), 10).ToArray();
        ReplayedAdjustment[] moves = [new(At(100), 2, AdjustmentReason.ClimbingMove),
            new(At(200), 20, AdjustmentReason.ClimbingMove), new(At(300), -50, AdjustmentReason.ClimbingMove)];
        var result = PoolSimulator.Of(new NativePolicy(GateClock.Ideal), new(new(1, 2, 6), At(400)) { Moves = [.. moves] }, items);

        Assert.Equal(
            [2, 4, 6, 6], [result.WorkersAt(At(99)), result.WorkersAt(At(150)), result.WorkersAt(At(250)), result.WorkersAt(At(400))]);
    }

    [Fact]
    public void New_workers_of_a_ramp_follow_each_other()
    {
        var items = Enumerable.Repeat(new SimulatedItem(At(1_000), 0, 1_000), 20).ToArray();
        var result = PoolSimulator.Of(new PortablePolicy(GateClock.Ideal), new(new(1, 20, 100), At(60_000)) { RampMs = 0.5 }, items);

        Assert.Equal(
            Enumerable.Range(0, 20).Select(n => 0.45 + n * 0.5), result.Items.Select(item => Math.Round(item.StartDelayMs!.Value, 2)));
    }
}
