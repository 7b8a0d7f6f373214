using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Ledger;

/// <summary>
/// From when on an injection may be timed: what is known of the gate's sleep, and of dequeues that are not in the stream.
/// </summary>
public sealed class GatePhaseTests
{
    const double First = 1001.2;

    [Fact]
    public void A_gate_that_may_have_slept_since_has_lost_its_phase()
    {
        var script = Blocked().Pass(200).WorkerSleeps().StarvationAfter(3200);

        Assert.Equal(DelayVerdict.NotTimed, Injections(script)[^1].Verdict);
    }

    [Fact]
    public void The_gate_may_sleep_soon_after_the_second_look_without_a_request()
    {
        var script = Blocked().Pass(200).WorkerSleeps().StarvationAfter(1001);

        Assert.Equal(DelayVerdict.NotTimed, Injections(script)[^1].Verdict);
    }

    [Fact]
    public void A_gate_that_may_have_slept_and_woken_has_lost_its_phase_too()
    {
        var script = Blocked().Pass(200).WorkerSleeps().Pass(3300).WorkerSleeps().StarvationAfter(3900);

        Assert.Equal(DelayVerdict.NotTimed, Injections(script)[^1].Verdict);
    }

    [Fact]
    public void A_worker_that_sleeps_after_a_long_item_does_not_show_that_the_gate_was_awake()
    {
        // It may have had its item since 200 ms, and nothing asked for a worker since.
        var script = Blocked().Pass(200).WorkerSleeps().Pass(400).WorkerSleeps().StarvationAfter(1001);

        Assert.Equal(DelayVerdict.NotTimed, Injections(script)[^1].Verdict);
    }

    [Fact]
    public void A_call_that_raises_min_raises_the_goal_with_it() =>
        Assert.Equal(8, new PoolScript().Processors(4).Limits(4, 10).Limits(8, 10).Ledger.State.TargetThreads);

    [Fact]
    public void A_sleep_before_an_injection_takes_nothing_from_the_gaps_after_it()
    {
        var script = new PoolScript().Opening().Pass(100).WorkerSleeps().CounterSamples(90)
            .StarvationAfter(First).StarvationAfter(1001.1).StarvationAfter(1001.1).Pass(1000);

        Assert.Equal([DelayVerdict.NotTimed, DelayVerdict.AsExpected, DelayVerdict.AsExpected], Injections(script).Select(g => g.Verdict));
    }

    [Fact]
    public void After_a_late_attach_no_gap_begins_with_a_dequeue_that_others_followed_unseen()
    {
        var delay = Injections(new PoolScript().Processors(8).WorkerAppears().CounterSamples(90, 5).StarvationAfter(3200))[^1];

        Assert.Equal((DelayVerdict.NotTimed, null, Basis.Unknown), (delay.Verdict, delay.Start, delay.StartBasis));
    }

    [Fact]
    public void With_busy_processors_an_item_that_ended_a_second_ago_still_counts()
    {
        // The goal is 3: an item that ends within 3 s before a look keeps the gate from injecting.
        var script = new PoolScript().Opening(2).Clock(ClockRegime.Busy).CounterSamples(90, cpu: 0.97).StarvationAfter(2004)
            .CounterSamples(90, 1, 0.97).Pass(1000).CounterSamples(90, 0, 0.97).StarvationAfter(4006).Pass(1000);

        Assert.Equal(DelayVerdict.AsExpected, Injections(script)[^1].Verdict);
    }

    /// <summary>Eight workers blocked and one injection seen: the phase of the gate is known from here on.</summary>
    static PoolScript Blocked() => new PoolScript().Opening().Clock(ClockRegime.Idle).CounterSamples(90).StarvationAfter(First);

    static InjectionDelay[] Injections(PoolScript script) =>
        [.. script.Report().InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation)];
}
