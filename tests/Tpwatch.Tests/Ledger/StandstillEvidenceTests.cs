using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using static Tpwatch.Tests.Ledger.Delays;

namespace Tpwatch.Tests.Ledger;

/// <summary>G12: what the pool is not to blame for, each with a near miss.</summary>
public sealed class StandstillEvidenceTests
{
    internal static IEnumerable<PoolReport> Told => [.. Excused().Select(one => one.Script), Stopped(), Hole()];

    [Fact]
    public void A_late_gate_is_excused_by_what_covers_the_lateness()
    {
        Are<(DelayVerdict, Mechanism)>(g => (g.Verdict, g.Mechanism), [.. Excused().Select(one =>
            (one.Life, Last(one.Script), (DelayVerdict.Late, Mechanism.G12NotRunning)))]);
        var delay = Last(Late(script => script.Suspended(250)));
        Assert.Contains(delay.Windows, w => w.MaxMs >= delay.ObservedMs);
    }

    [Fact]
    public void What_covers_little_of_it_or_came_before_or_was_of_other_threads_excuses_nothing() => Are<(DelayVerdict, Mechanism)>(
        g => (g.Verdict, g.Mechanism),
        ("no evidence", Last(Late(script => script)), (DelayVerdict.Late, Mechanism.G1GateTick)),
        ("a suspension that covers little of it", Last(Late(script => script.Suspended(60))), (DelayVerdict.Late, Mechanism.G1GateTick)),
        ("a suspension long before the tick",
            Last(Blocked().StarvationAfter(1001).Pass(300).Suspended(250).StarvationAfter(750).Pass(1500)),
            (DelayVerdict.Late, Mechanism.G1GateTick)),
        ("waits of other threads beside a gate that ran",
            Last(Late(script => script).Looked(r => r with { IntervalMs = 3000, WaitMs = 900, GateWaitMs = 0 })),
            (DelayVerdict.Late, Mechanism.G1GateTick)));

    [Fact]
    public void A_gap_across_a_stop_or_a_hole_is_never_judged_and_the_one_after_it_as_ever() => Are<(DelayVerdict, Mechanism)>(
        g => (g.Verdict, g.Mechanism),
        ("across a stop", Last(Stopped()), (DelayVerdict.NoData, Mechanism.G12NotRunning)),
        ("after a stop", Last(Stopped().StarvationAfter(1001).Pass(100)), (DelayVerdict.AsExpected, Mechanism.G1GateTick)),
        ("across a hole in the heartbeats where nobody looks from outside", Last(Hole()), (DelayVerdict.NoData, Mechanism.G12NotRunning)),
        // The hole ends with the first event and not with the next heartbeat.
        ("after a hole", Last(Blocked().StarvationAfter(1001).NoBeats().StarvationAfter(5500)
            .StarvationAfter(501).Pass(10).CounterSample(90, 0, 11, 0.02)), (DelayVerdict.AsExpected, Mechanism.G1GateTick)),
        ("beside a heartbeat that is a little late",
            Last(Blocked().StarvationAfter(1001).NoBeats().StarvationAfter(1001).Pass(500).CounterSample(90, 0, 10, 0.02)),
            (DelayVerdict.AsExpected, Mechanism.G1GateTick)),
        ("seconds without an event where heartbeats come each five seconds",
            Last(new PoolScript().Opening().CounterSamples(90, every: 5000).StarvationAfter(1001).StarvationAfter(2503).Pass(9000)),
            (DelayVerdict.Late, Mechanism.G1GateTick)),
        ("a move of the goal across a stop, which needs no excuse",
            Last(Blocked().NoBeats().Pass(5100).Stopped(5000).ClimbTo(9).Pass(100)), (DelayVerdict.NotTimed, Mechanism.G11Probing)));

    [Fact]
    public void Across_a_stop_it_says_from_when_to_when_and_of_no_tick()
    {
        Assert.Matches(@"from 2026-11-21T02:29:\d\d\.\d{3}Z to 2026-11-21T02:29:\d\d\.\d{3}Z\.", Last(Stopped()).Because);
        Assert.Empty(Last(Stopped()).Ticks);
    }

    [Fact]
    public void A_tick_in_a_suspension_did_not_fire_and_that_is_sure()
    {
        var ticks = Last(Late(script => script.Suspended(700))).Ticks;
        var tick = Assert.Single(ticks, t => t.Why.Contains("suspend", StringComparison.Ordinal));
        Assert.Equal((false, true), (tick.Fired, tick.Sure));
    }

    [Fact]
    public void A_thread_that_starts_late_across_a_hole_is_not_judged_once_the_hole_is_seen()
    {
        var script = Blocked().StarvationAfter(1001).NoBeats().SlowStarvationAfter(501, 5500);
        Assert.Equal(Mechanism.G13SlowThread, script.Report().InjectionDelays.Single(g => g.Reason is null && g.LateMs > 0).Mechanism);
        Assert.Contains(script.Pass(10).CounterSample(90, 0, 10, 0.02).Report().InjectionDelays,
            g => (g.Reason, g.Verdict, g.Mechanism) == (null, DelayVerdict.NoData, Mechanism.G12NotRunning));
    }

    static (string Life, PoolScript Script)[] Excused() =>
    [
        ("a suspension", Late(script => script.Suspended(250))),
        ("the gate's own wait for a processor",
            Late(script => script).Looked(r => r with { IntervalMs = 3000, WaitMs = 900, GateWaitMs = 240 })),
        ("throttling", Late(script => script).Looked(r => r with { IntervalMs = 3000, ThrottledMs = 800 })),
    ];

    static PoolScript Stopped() => Blocked().StarvationAfter(1001).NoBeats().Pass(5100).Stopped(5000).StarvationAfter(5200).Pass(100);

    static PoolScript Hole() => Blocked().StarvationAfter(1001).NoBeats().StarvationAfter(5500).Pass(10).CounterSample(90, 0, 10, 0.02);

    /// <summary>An injection 250 ms after the only tick that could make it.</summary>
    static PoolScript Late(Func<PoolScript, PoolScript> before) =>
        before(Blocked().StarvationAfter(1001).Pass(760)).AdjustAfter(761, 10, AdjustmentReason.Starvation, PoolScript.Gate).Pass(1500);

    static InjectionDelay Last(PoolScript script) =>
        script.Report().InjectionDelays.Last(g => g.Verdict != DelayVerdict.Open && g.Reason is not null);
}
