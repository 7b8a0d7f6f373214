using System.Collections.Immutable;
using Tpwatch.Core;
using Tpwatch.Pool;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.Forecast;

/// <summary>The small simulation behind start delays: first in, first out, with the workers that the policy adds.</summary>
public sealed class DrainTests
{
    static readonly EventTime Now = new(9_000_000_000_000);
    static readonly PortablePolicy Policy = new();

    [Theory]
    [InlineData(0, 0)]
    [InlineData(9, 0)]
    [InlineData(10, 500)]
    [InlineData(99, 4_500)]
    [InlineData(100, 5_000)]
    public void Ten_workers_of_half_a_second_take_ten_items_each_half_second(long queueLength, double delayMs) =>
        Assert.Equal(delayMs, Run(Free(10, 0), 500, queueLength, max: 8).StartDelayMs, 6);

    [Theory]
    [InlineData(10, 0)]
    [InlineData(11, 500)]
    [InlineData(100, 4_500)]
    public void A_backlog_is_gone_when_its_last_item_is_taken(long queueLength, double goneMs) =>
        Assert.Equal(goneMs, Run(Free(10, 0), 500, queueLength, max: 8).GoneMs, 6);

    [Fact]
    public void What_is_left_after_the_exact_part_goes_on_at_the_same_rate()
    {
        // 50 000 items by 10 workers at 500 ms: 2 500 s, of which the first two thousand items are simulated.
        Assert.Equal(2_500_000, Run(Free(10, 0), 500, 50_000, max: 8).StartDelayMs, 2_500_000 * 0.001);
    }

    [Fact]
    public void Blocked_for_good_one_worker_a_second_or_half_a_second_takes_what_waits()
    {
        var delay = Run(Free(8, double.PositiveInfinity), 600_000, 20).StartDelayMs;
        Assert.InRange(delay, 21 * 500, 22 * 1002);
    }

    [Fact]
    public void A_max_that_is_reached_adds_nobody()
    {
        var state = State(max: 8);
        var given = new QueueDrainState(Now, Free(8, 3000), 4000, 20, state);
        Assert.Equal(3000 + 2 * 4000, PoolSimulator.Drain(Policy, given).StartDelayMs, 6);
        Assert.Equal(3000 + 2 * 4000, PoolSimulator.Drain(Policy, given with { AtEveryCheck = true }).StartDelayMs, 6);
    }

    [Fact]
    public void A_pending_chain_of_cooperative_steps_adds_a_worker_a_step()
    {
        // 16 = min + processors of 8 each; then eight steps of 25 ms, eight of 50 ms, four of 75.
        var state = State() with { TargetThreads = 16, CooperativeDue = Now.PlusMs(25) };
        var delay = PoolSimulator.Drain(Policy, new(Now, Free(16, double.PositiveInfinity), 60_000, 19, state)).StartDelayMs;
        Assert.InRange(delay, 8 * 25 + 8 * 50 + 4 * 75, 8 * 25 + 8 * 50 + 4 * 75 + 20);
    }

    [Fact]
    public void More_injections_never_make_an_item_wait_longer()
    {
        var random = new Random(11);
        for (var i = 0; i < 200; i++)
        {
            var (workers, run) = (random.Next(1, 40), 50 * Math.Pow(600, random.NextDouble()));
            ImmutableArray<double> free = [.. Enumerable.Range(0, workers).Select(_ => run * random.NextDouble())];
            var queueLength = random.Next(0, 300);
            double Delay(int? max, bool atEveryTick) => Run(free, run, queueLength, max, atEveryTick).StartDelayMs;
            Assert.True(Delay(null, atEveryTick: true) <= Delay(null, false) + 1e-6, $"case {i}: every tick is the most there is");
            Assert.True(Delay(null, atEveryTick: false) <= Delay(8, false) + 1e-6, $"case {i}: none is the least");
        }
    }

    [Theory]
    // Ten workers take twenty a second.
    [InlineData(10, 100, 10_000)]
    [InlineData(19, 100, 100_000)]
    [InlineData(21, 100, double.PositiveInfinity)]
    [InlineData(0, 100, 5_000)]
    public void Arrivals_put_off_the_end_of_the_backlog_or_forbid_it(double arrivalsPerSecond, long queueLength, double goneMs)
    {
        var given = new QueueDrainState(
            Now, Free(10, 0), 500, queueLength, State(max: 10))
        { ArrivalsPerMs = arrivalsPerSecond / 1000 };
        var gone = PoolSimulator.Drain(Policy, given).GoneMs;
        Assert.True(
            double.IsInfinity(goneMs) ? double.IsInfinity(gone) : Math.Abs(gone - goneMs) <= 0.12 * goneMs, $"gone after {gone} ms");
    }

    [Theory]
    [InlineData(-0.5)]
    [InlineData(0)]
    [InlineData(1e-9)]
    [InlineData(double.NaN)]
    public void Items_without_a_run_time_drain_at_once(double runMs)
    {
        var drained = Run(Free(4, 1), runMs, queueLength: 100);
        Assert.InRange(drained.StartDelayMs, 1, 2);
        Assert.InRange(drained.GoneMs, 1, 2);
    }

    // At a max of 8 no worker is added.
    static QueueDrain Run(ImmutableArray<double> free, double runMs, long queueLength, int? max = null, bool atEveryTick = false) =>
        PoolSimulator.Drain(Policy, new(Now, free, runMs, queueLength, State(max)) { AtEveryCheck = atEveryTick });

    static ImmutableArray<double> Free(int workers, double ms) => [.. Enumerable.Repeat(ms, workers)];

    static PoolState State(int? max = null) => Policy.Start(new(8, 8, max)) with { TargetThreads = 8, Existing = 8, Now = Now };
}
