using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using static Tpwatch.Tests.Ledger.Delays;

namespace Tpwatch.Tests.Ledger;

/// <summary>
/// From when on an injection may be timed: what is known of the gate's sleep, and of dequeues that are not in the stream.
/// </summary>
public sealed class GatePhaseTests
{
    const double First = 1001.2;

    [Fact]
    public void A_gate_that_may_have_slept_has_lost_its_phase() => AreJudged(
        ("long after a worker slept", Slept().StarvationAfter(3200).Injection(), DelayVerdict.NotTimed),
        ("soon after the second look without a request", Slept().StarvationAfter(1001).Injection(), DelayVerdict.NotTimed),
        ("slept and woken", Slept().Pass(3300).WorkerSleeps().StarvationAfter(3900).Injection(), DelayVerdict.NotTimed),
        // It may have had its item since 200 ms, and nothing asked for a worker since.
        ("a worker that sleeps after a long item",
            Slept().Pass(400).WorkerSleeps().StarvationAfter(1001).Injection(), DelayVerdict.NotTimed));

    [Fact]
    public void A_call_that_raises_min_raises_the_goal_with_it() =>
        Assert.Equal(8, new PoolScript().Processors(4).Limits(4, 10).Limits(8, 10).Ledger.State.TargetThreads);

    [Fact]
    public void A_sleep_before_an_injection_takes_nothing_from_the_gaps_after_it()
    {
        var script = new PoolScript().Opening().Pass(100).WorkerSleeps().CounterSamples(90)
            .StarvationAfter(First).StarvationAfter(1001.1).StarvationAfter(1001.1).Pass(1000);
        Assert.Equal([DelayVerdict.NotTimed, DelayVerdict.AsExpected, DelayVerdict.AsExpected], script.Injections().Select(g => g.Verdict));
    }

    [Fact]
    public void After_a_late_attach_no_gap_begins_with_a_dequeue_that_others_followed_unseen()
    {
        var delay = new PoolScript().Processors(8).WorkerAppears().CounterSamples(90, 5).StarvationAfter(3200).Injection();

        Assert.Equal((DelayVerdict.NotTimed, null, Basis.Unknown), (delay.Verdict, delay.Start, delay.StartBasis));
    }

    [Fact]
    public void With_busy_processors_an_item_that_ended_a_second_ago_still_counts()
    {
        // The goal is 3: an item that ends within 3 s before a look keeps the gate from injecting.
        var script = new PoolScript().Opening(2).Clock(ClockRegime.Busy).CounterSamples(90, cpu: 0.97).StarvationAfter(2004)
            .CounterSamples(90, 1, 0.97).Pass(1000).CounterSamples(90, 0, 0.97).StarvationAfter(4006).Pass(1000);

        Assert.Equal(DelayVerdict.AsExpected, script.Injection().Verdict);
    }

    [Theory]
    [InlineData(6, DelayVerdict.AsExpected)]
    [InlineData(2, DelayVerdict.NotTimed)]
    public void Workers_that_sleep_and_are_woken_in_turn_keep_the_gate_awake(int sleeps, DelayVerdict verdict)
    {
        var script = new PoolScript().Opening().Clock(ClockRegime.Idle).CounterSamples(90, 3).StarvationAfter(First);
        for (var i = 0; i < sleeps; i++)
            script.Pass(150).WorkerSleeps(i % 2);

        Assert.Equal(verdict, script.StarvationAfter(1001.1).Pass(1000).Injection().Verdict);
    }

    /// <summary>One injection was seen, so that the phase of the gate is known, and a worker sleeps then.</summary>
    static PoolScript Slept() =>
        new PoolScript().Opening().Clock(ClockRegime.Idle).CounterSamples(90).StarvationAfter(First).Pass(200).WorkerSleeps();
}
