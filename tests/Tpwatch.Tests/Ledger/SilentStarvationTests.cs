using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Ledger;

/// <summary>Waits without an adjustment event, on the workloads of ticks.md section 6.</summary>
public sealed class SilentStarvationTests
{
    [Fact]
    public void Staggered_blocks_are_found_at_the_second_heartbeat()
    {
        var pool = new SimulatedPool(workers: 2);
        pool.Enqueue(1, 400);
        pool.Enqueue(200, 800);
        var script = new PoolScript().Opening(2).Pass(1000);
        Sample(script, pool, 1);
        Assert.Equal(DelayVerdict.Open, Silent(Sample(script, pool, 1)).Single().Verdict);
    }

    [Fact]
    public void Blocks_that_arrive_faster_than_they_end_are_found()
    {
        var report = Play(workers: 2, seconds: 8, (pool, ms) => pool.Enqueue(ms % 50 == 0 ? 1 : 0, 1000)).Report();

        Assert.Equal(Verdict.SilentlyStarved, report.Verdict);
        Assert.Single(Silent(report));
    }

    [Theory]
    [InlineData(1000, 300, 3)]
    [InlineData(1500, 40, 40)]
    [InlineData(1500, 16, 50)]
    [InlineData(20, 3, 10)]
    [InlineData(1000, 2, 900)]
    public void Healthy_bursts_raise_no_alarm(int everyMs, int items, double runMs)
    {
        var report = Play(workers: 2, seconds: 12, (pool, ms) => pool.Enqueue(ms % everyMs == 0 ? items : 0, runMs)).Report();

        Assert.Empty(report.Episodes);
        Assert.Empty(Silent(report));
        Assert.Equal(Verdict.Healthy, report.Verdict);
    }

    [Fact]
    public void Bursts_of_many_tiny_items_raise_no_alarm()
    {
        var pool = new SimulatedPool(workers: 2, stepMs: 0.05);
        var script = new PoolScript().Opening(2);
        for (var second = 0; second < 6; second++)
        {
            pool.Enqueue(15_000, 0.05);
            Sample(script, pool, 1, slice: 1000);
        }

        Assert.Equal(Verdict.Healthy, script.Report().Verdict);
    }

    [Fact]
    public void The_same_wait_with_busy_processors_is_no_starvation()
    {
        var report = Play(workers: 2, seconds: 8, (pool, ms) => pool.Enqueue(ms == 0 ? 800 : 0, 40), cpu: 0.97).Report();
        Assert.Equal(Verdict.Saturated, report.Verdict);
        Assert.Empty(Silent(report));
    }

    [Fact]
    public void It_is_one_gap_that_opens_grows_and_closes_with_its_number()
    {
        var script = Play(workers: 2, seconds: 3, (pool, ms) => pool.Enqueue(ms == 0 ? 200 : 0, 800));
        var open = Silent(script).Single();
        script.Pass(1000).CounterSample(190, 2, 2, 0.02);
        var grown = Silent(script).Single();
        script.Pass(1000).CounterSample(0, 190, 2, 0.02).Pass(1000).CounterSample(0, 0, 2, 0.02);
        var closed = Silent(script).Single();

        Assert.Equal([DelayVerdict.Open, DelayVerdict.Open, DelayVerdict.AsExpected], new[] { open, grown, closed }.Select(g => g.Verdict));
        Assert.Equal([open.Number, open.Number], new[] { grown.Number, closed.Number });
        Assert.True(open.ObservedMs < grown.ObservedMs && grown.ObservedMs < closed.ObservedMs);
        Assert.Equal(open.Start, closed.Start);
    }

    [Fact]
    public void Two_waits_with_a_pause_between_are_two_gaps_and_two_episodes()
    {
        var script = new PoolScript().Opening(2).CounterSamples(0).Pass(1000);
        for (var i = 0; i < 2; i++)
        {
            script.CounterSamples(50, 2).Pass(4000).CounterSamples(0, 90).Pass(10_000);
        }

        var report = script.Report();
        Assert.Equal(2, Silent(report).Length);
        Assert.Equal(2, report.Episodes.Length);
        Assert.All(report.Episodes, e => Assert.True(e is { Over: true, Kind: Verdict.SilentlyStarved }));
    }

    [Fact]
    public void What_injections_or_max_account_for_and_what_a_rise_or_loss_may_explain_is_not_silent()
    {
        // Attached late: what the goal was before its first adjustment is not known, and it may have been a rise.
        var late = new PoolScript().Processors(2).CounterSamples(50, 2).Pass(500).TargetThreads(20).CooperativeAfter(500).Pass(1600);
        Assert.All<(string Life, PoolScript Script)>(
            [
                ("injections",
                    new PoolScript().Opening().StarvationAfter(1001).CounterSamples(50, 1).Repeat(10, s => s.StarvationAfter(1001))),
                ("max", AtMax(0.02, 2)), ("a rise that nobody saw as one", late),
                ("adjustments that may have been lost", new PoolScript().Opening(2).CounterSamples(50, 2).Pass(500).Lose().Pass(1900)),
            ],
            life => Assert.Empty(Silent(life.Script)));
        Assert.NotEmpty(Silent(late.Pass(3000)));
    }

    /// <summary>Without completions and with busy processors too.</summary>
    [Theory]
    [InlineData(0.02, 2)]
    [InlineData(0.95, 0)]
    public void At_the_ceiling_no_rule_adds_another_worker(double cpu, int completed) =>
        Assert.Single(AtMax(cpu, completed).Report().InjectionDelays, g => g.Mechanism == Mechanism.G8Ceiling);

    [Fact]
    public void Once_injections_stop_the_wait_is_silent_from_the_last_one_on()
    {
        var script = new PoolScript().Opening().StarvationAfter(1001).CounterSamples(90, 2).Repeat(3, s => s.StarvationAfter(1001));
        var last = script.Report().InjectionDelays.Last(g => g.Reason is not null);
        var silent = Silent(script.Pass(6000)).Single();
        Assert.Equal(last.End, silent.Start);
        Assert.True(silent.Number > last.Number);
    }

    [Fact]
    public void Loss_inside_leaves_it_unjudged()
    {
        var script = new PoolScript().Opening(2).CounterSamples(50, 2).Pass(2500).Lose().Pass(2000);

        var silent = Silent(script);
        Assert.Equal(DelayVerdict.NoData, silent[0].Verdict);
        Assert.All(silent[1..], g => Assert.True(g.Start >= silent[0].End, "nothing is proven across the loss"));
    }

    [Fact]
    public void A_loss_may_hide_an_injection_until_the_wait_has_lasted_again()
    {
        var script = new PoolScript().Opening(2).CounterSamples(50, 2).Pass(4500);
        Assert.Equal(Verdict.SilentlyStarved, script.Report().Verdict);
        Assert.Equal(Verdict.Starved, Assert.Single(script.Lose().Report().Episodes).Kind);
        Assert.Equal(Verdict.SilentlyStarved, script.Pass(6000).Report().Verdict);
    }

    static PoolScript AtMax(double cpu, int completed) =>
        new PoolScript().Processors(2).Limits(4, 4).Ramp(4).GateBegins().CounterSamples(60, completed, cpu).Pass(4000);

    static InjectionDelay[] Silent(PoolReport report) => [.. report.InjectionDelays.Where(g => g.Mechanism == Mechanism.G3Undetected)];

    static PoolScript Play(int workers, int seconds, Action<SimulatedPool, int> arrivals, double cpu = 0.05)
    {
        var pool = new SimulatedPool(workers);
        var script = new PoolScript().Opening(workers).CounterSample(0, null, workers, cpu);
        for (var second = 0; second < seconds; second++)
        {
            for (var ms = 0; ms < 1000; ms += 10)
            {
                arrivals(pool, second * 1000 + ms);
                pool.Advance(10);
            }

            Sample(script, pool, 0, cpu: cpu);
        }

        return script;
    }

    static PoolScript Sample(PoolScript script, SimulatedPool pool, int seconds, double cpu = 0.05, double slice = 1000)
    {
        pool.Advance(seconds * slice);
        var (queueLength, completed) = pool.Read();
        return script.Pass(1000).CounterSample(queueLength, completed, pool.Workers, cpu);
    }
}
