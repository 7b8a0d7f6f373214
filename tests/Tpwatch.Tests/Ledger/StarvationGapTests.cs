using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using static Tpwatch.Tests.Ledger.Delays;

namespace Tpwatch.Tests.Ledger;

/// <summary>The gate's injections, by measured.md section 1 and ticks.md section 2.</summary>
public sealed class StarvationGapTests
{
    const double First = 1001.2;

    internal static IEnumerable<PoolReport> Told => [Seen().StarvationAfter(100)];

    [Fact]
    public void The_first_injection_is_timed_from_the_last_dequeue_when_the_gates_birth_was_seen()
    {
        var delay = Blocked().StarvationAfter(First).Injection();

        Assert.Equal((DelayVerdict.AsExpected, Basis.Observed, 2), (delay.Verdict, delay.StartBasis, delay.Ticks.Length));
        Assert.InRange(delay.ObservedMs!.Value, First, First + 1);
    }

    [Fact]
    public void The_first_injection_after_a_late_attach_is_not_timed_and_the_second_is()
    {
        var delays = new PoolScript().Processors(8).CounterSamples(90).StarvationAfter(700).StarvationAfter(1001.1).Injections();

        Assert.Equal([DelayVerdict.NotTimed, DelayVerdict.AsExpected], delays.Select(g => g.Verdict));
        Assert.Empty(delays[0].Windows);
        Assert.Null(delays[0].ObservedMs);
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
        var delay = Seen().StarvationAfter(ms).Pass(1000).Injection();
        Assert.Equal(expected, delay.Verdict);
        Assert.Equal(ms, delay.ObservedMs!.Value, 3);
    }

    [Fact]
    public void A_late_injection_says_by_how_much_and_an_early_one_from_when_on_the_rule_allows_it()
    {
        Assert.Equal(235, Seen().StarvationAfter(750).Injection().LateMs!.Value, 1.0);
        Assert.Equal([495], Seen().StarvationAfter(100).Injection().Windows.Select(w => Math.Round(w.MinMs)));
        var afterDequeue = Seen().Pass(300).WorkerAppears().StarvationAfter(501).Pass(1000).Injection();
        Assert.Equal(DelayVerdict.Early, afterDequeue.Verdict);
        Assert.InRange(afterDequeue.Windows.Single().MinMs, afterDequeue.ObservedMs!.Value, 1000);
    }

    [Fact]
    public void A_third_tick_fits_when_items_completed_meanwhile_and_is_late_when_the_second_had_to_inject()
    {
        Assert.Equal(3, Seen(completed: 3).StarvationAfter(1503).Pass(1000).Injection().Ticks.Length);
        AreJudged(
            ("items completed", Seen(completed: 3).StarvationAfter(1503).Pass(1000).Injection(), DelayVerdict.AsExpected),
            ("nothing completed", Seen().StarvationAfter(1503).Pass(1000).Injection(), DelayVerdict.Late),
            ("longer than its ticks can be counted", Seen(completed: 5).StarvationAfter(8006).Injection(), DelayVerdict.NotTimed),
            // One low sample is enough to inject by the short rule.
            ("processors that were busy but for a moment", new PoolScript().Opening().CounterSamples(90, cpu: 0.9)
                .StarvationAfter(1001).StarvationAfter(1001).Pass(1000).Injection(), DelayVerdict.AsExpected),
            ("loss inside", Seen().Pass(400).Lose().StarvationAfter(1001).Injection(), DelayVerdict.NoData),
            ("after a loss", Seen().Pass(400).Lose().StarvationAfter(1001).StarvationAfter(1001).Pass(1000).Injection(),
                DelayVerdict.AsExpected));
    }

    [Fact]
    public void A_gap_is_judged_again_once_a_heartbeat_covers_it()
    {
        var script = Seen().StarvationAfter(1503);
        var before = script.Injection();
        var after = script.Pass(1000).Report();

        Assert.Equal(DelayVerdict.AsExpected, before.Verdict);
        Assert.Equal(DelayVerdict.Late, after.InjectionDelays.Single(g => g.Number == before.Number).Verdict);
        Assert.Equal(DelayVerdict.AsExpected, after.Journal.Single(g => g.Number == before.Number).Verdict);
    }

    [Fact]
    public void A_gap_that_is_judged_stays_so_when_the_heartbeats_that_covered_it_are_forgotten()
    {
        var script = Seen().StarvationAfter(1503).Pass(1000);
        var late = script.Injection();
        Assert.Equal(DelayVerdict.Late, late.Verdict);
        Assert.Equal(late, script.Pass(200_000).Report().InjectionDelays.Single(g => g.Number == late.Number));
    }

    [Fact]
    public void A_tick_before_the_last_is_counted_back_from_the_injection()
    {
        var delay = Seen(completed: 3).StarvationAfter(1500.9).Pass(1000).Injection();
        Assert.Equal(GateTiming.AfterHold, delay.End.MsSince(delay.Ticks[1].At), tolerance: 0.01);
    }

    [Fact]
    public void Every_window_is_at_most_20_ms_wide()
    {
        var script = Seen().StarvationAfter(501).StarvationAfter(1001).StarvationAfter(750)
            .StarvationAfter(300).CooperativeAfter(400).CooperativeAfter(25.6).CooperativeAfter(25.6);
        var windows = script.Report().InjectionDelays.SelectMany(g => g.Windows).ToArray();

        Assert.NotEmpty(windows);
        Assert.All(windows, w => Assert.InRange(w.MaxMs - w.MinMs, 0, 20.000001));
    }

    [Fact]
    public void The_tick_list_says_for_every_tick_why()
    {
        var delay = Seen().StarvationAfter(1001.1).Pass(1000).Injection();

        Assert.Equal([false, true], delay.Ticks.Select(t => t.Fired));
        Assert.Equal([Basis.Inferred, Basis.Observed], delay.Ticks.Select(t => t.Basis));
        Assert.All(delay.Ticks, t => Assert.NotNull(t.SinceDequeueMs));
        Assert.Equal(delay.End, delay.Ticks[^1].At);
    }

    [Theory]
    [InlineData(nameof(ClockRegime.Idle))]
    [InlineData(nameof(ClockRegime.Busy))]
    [InlineData(nameof(ClockRegime.Mixed))]
    public void The_second_tick_after_an_injection_counts_the_whole_time_since_the_dequeue(string regime)
    {
        var delay = Seen(regime: Enum.Parse<ClockRegime>(regime)).StarvationAfter(1001.1).Pass(1000).Injection();

        Assert.InRange(delay.Ticks[0].SinceDequeueMs!.Value, 496, 504);
        Assert.InRange(delay.Ticks[1].SinceDequeueMs!.Value, 996, 1004);
    }

    [Fact]
    public void Without_the_machines_clock_a_tick_on_the_edge_is_not_sure() =>
        Assert.Equal([false, true], Seen(regime: null).StarvationAfter(1001.1).Pass(1000).Injection().Ticks.Select(t => t.Sure));

    [Fact]
    public void Busy_processors_make_the_wait_goal_times_a_second()
    {
        var script = new PoolScript().Opening(2).Clock(ClockRegime.Busy).CounterSamples(90, cpu: 0.97)
            .StarvationAfter(2004).StarvationAfter(3004).StarvationAfter(4006).Pass(1000);
        var delays = script.Injections();

        Assert.All(delays, g => Assert.Equal(Mechanism.G2CpuThrottle, g.Mechanism));
        Assert.All(delays, g => Assert.Equal(DelayVerdict.AsExpected, g.Verdict));
        Assert.Contains("of the target thread count, here 4.0 s.", delays[^1].Because, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0.0)]
    [InlineData(1.0)]
    [InlineData(86_400_000.0 * 3000)]
    public void The_origin_of_event_time_does_not_matter(double origin)
    {
        var here = new PoolScript(origin).Opening().CounterSamples(90).StarvationAfter(First).Pass(1000).Injection();
        var there = new PoolScript(origin + 7777.125).Opening().CounterSamples(90).StarvationAfter(First).Pass(1000).Injection();

        Assert.Equal(here.Verdict, there.Verdict);
        Assert.Equal(here.Windows, there.Windows);
        Assert.Equal(here.Because, there.Because);
    }

    /// <summary>Eight workers blocked and one injection seen: the phase of the gate is known from here on.</summary>
    static PoolScript Seen(long completed = 0, ClockRegime? regime = ClockRegime.Idle)
    {
        var script = new PoolScript().Opening();
        script = regime is { } r ? script.Clock(r) : script;
        return script.CounterSamples(90, completed).StarvationAfter(First);
    }
}
