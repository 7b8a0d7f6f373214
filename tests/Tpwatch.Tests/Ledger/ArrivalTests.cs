using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using static Tpwatch.Tests.Ledger.Delays;

namespace Tpwatch.Tests.Ledger;

/// <summary>G10, G13, G15: what came of a rise of the goal, or of a burst.</summary>
public sealed class ArrivalTests
{
    [Fact]
    public void A_rise_that_no_worker_follows_or_needs_to_says_so()
    {
        Assert.Equal(Mechanism.G1GateTick, Raised(Blocked()).Pass(700).ClimbTo(9).Injection().Mechanism);
        Are<Mechanism?>(
            g => g.Also,
            ("none follows", Raised(Blocked()).Pass(700).ClimbTo(9).Injection(), Mechanism.G10GoalOnly),
            ("judged again by a heartbeat", Raised(Blocked()).Pass(3000).Injection(), Mechanism.G10GoalOnly),
            ("a goal at or below the workers that exist", Raised(Blocked().Ramp(4)).Pass(10).Injection(), Mechanism.G10GoalOnly),
            ("a worker follows", Blocked().StarvationAfter(1001).Pass(700).ClimbTo(9).Injection(), null),
            ("after a loss", Raised(Blocked()).Pass(100).Lose().Pass(700).ClimbTo(9).Injection(), null));
    }

    [Fact]
    public void A_thread_that_takes_longer_than_20_ms_to_start_is_a_wait_of_its_own()
    {
        var delay = Blocked().SlowStarvationAfter(1001, 57).Pass(10).Report().InjectionDelays
            .Single(g => g.Mechanism == Mechanism.G13SlowThread);
        Assert.Equal((DelayVerdict.Late, null), (delay.Verdict, delay.Reason));
        Assert.Equal(57, delay.ObservedMs!.Value, 1.0);
        Assert.DoesNotContain(Blocked().SlowStarvationAfter(1001, 19).Pass(10).Report().InjectionDelays,
            g => g.Mechanism == Mechanism.G13SlowThread);
    }

    [Fact]
    public void A_slow_start_during_a_collection_is_the_collections()
    {
        var delay = Raised(Blocked()).SlowStarvationAfter(1002, 80).Suspended(79).Looked(r => r with { WaitMs = 0 })
            .Report().InjectionDelays.Single(g => g.Reason is null && g.IsBy(Mechanism.G12NotRunning) | g.IsBy(Mechanism.G13SlowThread));
        // The suspension was told after the start: the gap is looked at again when the process is.
        Assert.Equal((DelayVerdict.Late, Mechanism.G12NotRunning), (delay.Verdict, delay.Mechanism));
    }

    [Fact]
    public void Workers_that_ended_for_idleness_are_replaced_once_each_and_not_after_a_minute()
    {
        Assert.Equal(Mechanism.G15TimeoutChurn, Ramps(Ended().WorkerEnds().Pass(5000).Ramp(3))[^1]);
        Assert.Equal([null, Mechanism.G15TimeoutChurn, null], Ramps(Ended().Pass(5000).Ramp(1).Pass(100).Ramp(1)));
        Assert.Null(Ramps(Ended().Pass(61_000).Ramp(1))[^1]);

        static PoolScript Ended() => Blocked().CounterSamples(0).Pass(100).WorkerEnds();
        static Mechanism?[] Ramps(PoolScript script) => [.. script.Pass(100).WorkerSleeps().Report().InjectionDelays
            .Where(g => g.Mechanism == Mechanism.G0Ramp).Select(g => g.Also)];
    }

    [Fact]
    public void Moves_are_counted_apart_from_waits()
    {
        var tally = Blocked().StarvationAfter(1001).ClimbTo(10).ClimbTo(9).Pass(10).WithdrawTo(8).Report().Tally;
        Assert.Equal((3, tally.Total - 3), (tally.Moves, tally.Waits));
    }

    static PoolScript Raised(PoolScript script) => script.AdjustAfter(1001, 9, AdjustmentReason.Starvation, PoolScript.Gate);
}
