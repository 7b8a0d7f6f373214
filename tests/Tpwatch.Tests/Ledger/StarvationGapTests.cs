using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Ledger;

/// <summary>The gate's injections, by measured.md section 1 and ticks.md section 2.</summary>
public sealed class StarvationGapTests
{
    const double First = 1001.2;

    [Fact]
    public void The_first_injection_is_timed_from_the_last_dequeue_when_the_gates_birth_was_seen()
    {
        var delay = Injections(new PoolScript().Opening().CounterSamples(90).StarvationAfter(First))[^1];

        Assert.Equal(DelayVerdict.AsExpected, delay.Verdict);
        Assert.Equal(Basis.Observed, delay.StartBasis);
        Assert.Equal(2, delay.Ticks.Length);
        Assert.InRange(delay.ObservedMs!.Value, First, First + 1);
    }

    [Fact]
    public void The_first_injection_after_a_late_attach_is_not_timed_and_says_why()
    {
        var delay = Injections(new PoolScript().Processors(8).CounterSamples(90).Pass(300).StarvationAfter(700))[^1];

        Assert.Equal(DelayVerdict.NotTimed, delay.Verdict);
        Assert.Empty(delay.Windows);
        Assert.Null(delay.ObservedMs);
    }

    [Fact]
    public void The_second_injection_after_a_late_attach_is_timed()
    {
        var script = new PoolScript().Processors(8).CounterSamples(90).StarvationAfter(700).StarvationAfter(1001.1);

        Assert.Equal([DelayVerdict.NotTimed, DelayVerdict.AsExpected], Injections(script).Select(g => g.Verdict));
    }

    [Theory]
    [InlineData(500.9, DelayVerdict.AsExpected)]
    [InlineData(500.8, DelayVerdict.AsExpected)]
    [InlineData(512.0, DelayVerdict.AsExpected)]
    [InlineData(1001.1, DelayVerdict.AsExpected)]
    [InlineData(1009.8, DelayVerdict.AsExpected)]
    [InlineData(520.0, DelayVerdict.Late)]
    [InlineData(750.0, DelayVerdict.Late)]
    [InlineData(900.0, DelayVerdict.Late)]
    [InlineData(300.0, DelayVerdict.Early)]
    [InlineData(490.0, DelayVerdict.Early)]
    [InlineData(200.0, DelayVerdict.Early)]
    [InlineData(30.0, DelayVerdict.Early)]
    public void An_injection_is_judged_by_the_gates_ticks_after_the_one_before(double ms, DelayVerdict expected)
    {
        var delay = Injections(Blocked().StarvationAfter(ms).Pass(1000))[^1];

        Assert.Equal(expected, delay.Verdict);
        Assert.Equal(ms, delay.ObservedMs!.Value, 3);
    }

    [Fact]
    public void A_late_injection_says_by_how_much()
    {
        var delay = Injections(Blocked().StarvationAfter(750))[^1];

        Assert.Equal(235, delay.LateMs!.Value, 1.0);
    }

    [Fact]
    public void An_early_injection_says_that_the_rule_does_not_allow_it_yet()
    {
        var delay = Injections(Blocked().StarvationAfter(100))[^1];

        Assert.Contains("The thread came before the first moment that the rule allows.", delay.Because, StringComparison.Ordinal);
        Assert.DoesNotContain("gate checks passed", delay.Because, StringComparison.Ordinal);
        Assert.Equal([495], delay.Windows.Select(w => Math.Round(w.MinMs)));
    }

    [Fact]
    public void After_a_dequeue_between_two_ticks_the_first_of_them_is_too_early()
    {
        var delay = Injections(Blocked().Pass(300).WorkerAppears().StarvationAfter(501).Pass(1000))[^1];

        Assert.Equal(DelayVerdict.Early, delay.Verdict);
        Assert.InRange(delay.Windows.Single().MinMs, delay.ObservedMs!.Value, 1000);
    }

    [Fact]
    public void A_third_tick_fits_when_items_completed_meanwhile()
    {
        var delay = Injections(Blocked(completed: 3).StarvationAfter(1503).Pass(1000))[^1];

        Assert.Equal(DelayVerdict.AsExpected, delay.Verdict);
        Assert.Equal(3, delay.Ticks.Length);
    }

    [Fact]
    public void A_third_tick_is_late_when_nothing_completed_and_the_second_had_to_inject()
    {
        var delay = Injections(Blocked().StarvationAfter(1503).Pass(1000))[^1];

        Assert.Equal(DelayVerdict.Late, delay.Verdict);
    }

    [Fact]
    public void A_gap_is_judged_again_once_a_heartbeat_covers_it()
    {
        var script = Blocked().StarvationAfter(1503);
        var before = Injections(script)[^1];
        var after = script.Pass(1000).Report();

        Assert.Equal(DelayVerdict.AsExpected, before.Verdict);
        Assert.Equal(DelayVerdict.Late, after.InjectionDelays.Single(g => g.Number == before.Number).Verdict);
        Assert.Equal(DelayVerdict.AsExpected, after.Journal.Single(g => g.Number == before.Number).Verdict);
    }

    [Fact]
    public void Loss_inside_a_gap_leaves_it_unjudged()
    {
        var script = Blocked().Pass(400).Lose().StarvationAfter(1001).StarvationAfter(1001).Pass(1000);

        Assert.Equal([DelayVerdict.NoData, DelayVerdict.AsExpected], Injections(script)[^2..].Select(g => g.Verdict));
    }

    [Fact]
    public void A_gap_longer_than_its_ticks_can_be_counted_is_not_timed()
    {
        var delay = Injections(Blocked(completed: 5).StarvationAfter(8006))[^1];

        Assert.Equal(DelayVerdict.NotTimed, delay.Verdict);
    }

    [Fact]
    public void Every_window_is_at_most_20_ms_wide()
    {
        var script = Blocked().StarvationAfter(501).StarvationAfter(1001).StarvationAfter(750)
            .StarvationAfter(300).CooperativeAfter(400).CooperativeAfter(25.6).CooperativeAfter(25.6);
        var windows = script.Report().InjectionDelays.SelectMany(g => g.Windows).ToArray();

        Assert.NotEmpty(windows);
        Assert.All(windows, w => Assert.InRange(w.MaxMs - w.MinMs, 0, 20.000001));
    }

    [Fact]
    public void The_tick_list_says_for_every_tick_why()
    {
        var delay = Injections(Blocked().StarvationAfter(1001.1).Pass(1000))[^1];

        Assert.Equal([false, true], delay.Ticks.Select(t => t.Fired));
        Assert.Equal([Basis.Inferred, Basis.Observed], delay.Ticks.Select(t => t.Basis));
        Assert.All(delay.Ticks, t => Assert.Contains("since dequeue", t.Why, StringComparison.Ordinal));
        Assert.Equal(delay.End, delay.Ticks[^1].At);
    }

    [Theory]
    [InlineData(nameof(ClockRegime.Idle))]
    [InlineData(nameof(ClockRegime.Busy))]
    [InlineData(nameof(ClockRegime.Mixed))]
    public void The_second_tick_after_an_injection_counts_the_whole_time_since_the_dequeue(string regime)
    {
        var delay = Injections(Blocked(regime: Enum.Parse<ClockRegime>(regime)).StarvationAfter(1001.1).Pass(1000))[^1];

        Assert.InRange(delay.Ticks[0].SinceDequeueMs!.Value, 496, 504);
        Assert.InRange(delay.Ticks[1].SinceDequeueMs!.Value, 996, 1004);
        Assert.Contains(">500", delay.Ticks[1].Why, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_the_machines_clock_a_tick_on_the_edge_is_said_to_be_too_close_to_tell()
    {
        var delay = Injections(Blocked(regime: null).StarvationAfter(1001.1).Pass(1000))[^1];

        Assert.Contains("too close to 500 ms to be certain", delay.Ticks[0].Why, StringComparison.Ordinal);
        Assert.False(delay.Ticks[0].Sure);
        Assert.True(delay.Ticks[1].Sure);
    }

    [Fact]
    public void Busy_processors_make_the_wait_goal_times_a_second()
    {
        var script = new PoolScript().Opening(2).Clock(ClockRegime.Busy).CounterSamples(90, cpu: 0.97)
            .StarvationAfter(2004).StarvationAfter(3004).StarvationAfter(4006).Pass(1000);
        var delays = Injections(script);

        Assert.All(delays, g => Assert.Equal(Mechanism.G2CpuThrottle, g.Mechanism));
        Assert.All(delays, g => Assert.Equal(DelayVerdict.AsExpected, g.Verdict));
        Assert.Contains("of the target thread count, here 4.0 s.", delays[^1].Because, StringComparison.Ordinal);
    }

    [Fact]
    public void One_low_sample_of_busy_processors_is_enough_to_inject_by_the_short_rule()
    {
        var script = new PoolScript().Opening().CounterSamples(90, cpu: 0.9).StarvationAfter(1001).StarvationAfter(1001).Pass(1000);

        Assert.Equal(DelayVerdict.AsExpected, Injections(script)[^1].Verdict);
    }

    [Theory]
    [InlineData(0.0)]
    [InlineData(1.0)]
    [InlineData(86_400_000.0 * 3000)]
    public void The_origin_of_event_time_does_not_matter(double origin)
    {
        var here = Injections(new PoolScript(origin).Opening().CounterSamples(90).StarvationAfter(First).Pass(1000))[^1];
        var there = Injections(new PoolScript(origin + 7777.125).Opening().CounterSamples(90).StarvationAfter(First).Pass(1000))[^1];

        Assert.Equal(here.Verdict, there.Verdict);
        Assert.Equal(here.Windows, there.Windows);
        Assert.Equal(here.Because, there.Because);
    }

    /// <summary>Eight workers blocked and one injection seen: the phase of the gate is known from here on.</summary>
    static PoolScript Blocked(long completed = 0, ClockRegime? regime = ClockRegime.Idle)
    {
        var script = new PoolScript().Opening();
        script = regime is { } r ? script.Clock(r) : script;
        return script.CounterSamples(90, completed).StarvationAfter(First);
    }

    static InjectionDelay[] Injections(PoolScript script) =>
        [.. script.Report().InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation)];
}
