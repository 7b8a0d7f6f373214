using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Ledger;

/// <summary>G12: what the pool is not to blame for, each with a near miss.</summary>
public sealed class StandstillEvidenceTests
{
    [Fact]
    public void A_late_gate_is_excused_by_a_suspension_that_covers_the_lateness()
    {
        var delay = Last(Late(script => script.Suspended(250)));

        Assert.Equal((DelayVerdict.Late, Mechanism.G12NotRunning), (delay.Verdict, delay.Mechanism));
        Assert.Contains("suspended by the runtime (garbage collection) for 250 ms", delay.Because, StringComparison.Ordinal);
        Assert.Contains(delay.Windows, w => w.MaxMs >= delay.ObservedMs);
    }

    [Fact]
    public void A_suspension_that_covers_little_of_it_excuses_nothing()
    {
        var delay = Last(Late(script => script.Suspended(60)));

        Assert.Equal((DelayVerdict.Late, Mechanism.G1GateTick), (delay.Verdict, delay.Mechanism));
    }

    [Fact]
    public void Without_evidence_a_late_gate_stays_late() => Assert.Equal(DelayVerdict.Late, Last(Late(script => script)).Verdict);

    [Fact]
    public void A_suspension_long_before_the_tick_excuses_nothing()
    {
        var script = Blocked().StarvationAfter(1001).Pass(300).Suspended(250).StarvationAfter(750).Pass(1500);

        Assert.Equal(DelayVerdict.Late, Last(script).Verdict);
    }

    [Fact]
    public void The_gates_own_wait_for_a_processor_excuses_it_when_the_reading_comes()
    {
        var script = Late(script => script).Looked(r => r with { IntervalMs = 3000, WaitMs = 900, GateWaitMs = 240 });

        var delay = Last(script);
        Assert.Equal((DelayVerdict.Late, Mechanism.G12NotRunning), (delay.Verdict, delay.Mechanism));
        Assert.Contains("the gate thread was ready but had no processor for 240 ms", delay.Because, StringComparison.Ordinal);
    }

    [Fact]
    public void Waits_of_other_threads_do_not_excuse_a_gate_that_is_known_to_have_run()
    {
        var script = Late(script => script).Looked(r => r with { IntervalMs = 3000, WaitMs = 900, GateWaitMs = 0 });

        Assert.Equal(DelayVerdict.Late, Last(script).Verdict);
    }

    [Fact]
    public void Throttling_excuses_it_too() =>
        Assert.Contains("throttled by its processor quota",
            Last(Late(script => script).Looked(r => r with { IntervalMs = 3000, ThrottledMs = 800 })).Because, StringComparison.Ordinal);

    [Fact]
    public void A_gap_across_a_stop_is_never_judged_and_says_from_when_to_when()
    {
        var script = Blocked().StarvationAfter(1001).NoBeats().Pass(5100).Stopped(5000).StarvationAfter(5200).Pass(100);

        var delay = Last(script);
        Assert.Equal((DelayVerdict.NoData, Mechanism.G12NotRunning), (delay.Verdict, delay.Mechanism));
        Assert.Matches(
            @"^The process was stopped from 2026-11-21T02:29:\d\d\.\d{3}Z to 2026-11-21T02:29:\d\d\.\d{3}Z\.", delay.Because);
        Assert.Empty(delay.Ticks);
    }

    [Fact]
    public void The_gap_after_a_stop_is_judged_as_ever()
    {
        var script = Blocked().StarvationAfter(1001).NoBeats().Pass(5100)
            .Stopped(5000).StarvationAfter(5200).StarvationAfter(1001).Pass(100);

        Assert.Equal(DelayVerdict.AsExpected, Last(script).Verdict);
    }

    [Fact]
    public void A_hole_in_the_heartbeats_is_evidence_where_nobody_looks_from_outside()
    {
        var script = Blocked().StarvationAfter(1001).NoBeats().StarvationAfter(5500).Pass(10).CounterSample(90, 0, 10, 0.02);

        var delay = Last(script);
        Assert.Equal((DelayVerdict.NoData, Mechanism.G12NotRunning), (delay.Verdict, delay.Mechanism));
        Assert.StartsWith("No event came from", delay.Because, StringComparison.Ordinal);
    }

    [Fact]
    public void The_hole_ends_with_the_first_event_and_not_with_the_next_heartbeat()
    {
        var script = Blocked().StarvationAfter(1001).NoBeats().StarvationAfter(5500)
            .StarvationAfter(501).Pass(10).CounterSample(90, 0, 11, 0.02);

        Assert.Equal(
            [DelayVerdict.NoData, DelayVerdict.AsExpected], script.Report().InjectionDelays.Where(g => g.Reason is not null).TakeLast(2)
                .Select(g => g.Verdict));
    }

    [Fact]
    public void A_heartbeat_that_is_a_little_late_is_no_hole()
    {
        var script = Blocked().StarvationAfter(1001).NoBeats().StarvationAfter(1001).Pass(500).CounterSample(90, 0, 10, 0.02);

        Assert.Equal(DelayVerdict.AsExpected, Last(script).Verdict);
    }

    [Fact]
    public void A_move_of_the_goal_is_no_wait_and_needs_no_excuse()
    {
        var script = Blocked().NoBeats().Pass(5100).Stopped(5000).ClimbTo(9).Pass(100);

        Assert.Equal((DelayVerdict.NotTimed, Mechanism.G11Probing), (Last(script).Verdict, Last(script).Mechanism));
    }

    /// <summary>An injection 250 ms after the only tick that could make it.</summary>
    static PoolScript Late(Func<PoolScript, PoolScript> before) =>
        before(Blocked().StarvationAfter(1001).Pass(760)).AdjustAfter(761, 10, AdjustmentReason.Starvation, PoolScript.Gate).Pass(1500);

    static InjectionDelay Last(PoolScript script) =>
        script.Report().InjectionDelays.Last(g => g.Verdict != DelayVerdict.Open && g.Reason is not null);

    static PoolScript Blocked() => new PoolScript().Opening().CounterSamples(90);
}
