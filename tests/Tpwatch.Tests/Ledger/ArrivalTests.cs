using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Ledger;

/// <summary>G10, G13, G15: what came of a rise of the goal, or of a burst.</summary>
public sealed class ArrivalTests
{
    [Fact]
    public void A_rise_that_no_worker_follows_says_so()
    {
        var delay = Injection(Blocked().AdjustAfter(1001, 9, AdjustmentReason.Starvation, PoolScript.Gate).Pass(700).ClimbTo(9));

        Assert.Equal((Mechanism.G1GateTick, (Mechanism?)Mechanism.G10GoalOnly), (delay.Mechanism, delay.Also));
    }

    [Fact]
    public void It_still_says_so_after_a_heartbeat_has_judged_it_again()
    {
        var delay = Injection(Blocked().AdjustAfter(1001, 9, AdjustmentReason.Starvation, PoolScript.Gate).Pass(3000));

        Assert.Equal(Mechanism.G10GoalOnly, delay.Also);
    }

    [Fact]
    public void A_rise_that_a_worker_follows_needs_no_word() =>
        Assert.Null(Injection(Blocked().StarvationAfter(1001).Pass(700).ClimbTo(9)).Also);

    [Fact]
    public void A_goal_at_or_below_the_workers_that_exist_needs_no_thread()
    {
        var delay = Injection(Blocked().Ramp(4).AdjustAfter(1001, 9, AdjustmentReason.Starvation, PoolScript.Gate).Pass(10));

        Assert.Equal(Mechanism.G10GoalOnly, delay.Also);
    }

    [Fact]
    public void After_a_loss_nobody_is_said_not_to_have_come()
    {
        var script = Blocked().AdjustAfter(1001, 9, AdjustmentReason.Starvation, PoolScript.Gate).Pass(100).Lose().Pass(700).ClimbTo(9);

        Assert.Null(Injection(script).Also);
    }

    [Fact]
    public void A_thread_that_takes_long_to_start_is_a_wait_of_its_own()
    {
        var delay = Blocked().SlowStarvationAfter(1001, 57).Pass(10).Report().InjectionDelays
            .Single(g => g.Mechanism == Mechanism.G13SlowThread);

        Assert.Equal((DelayVerdict.Late, null), (delay.Verdict, delay.Reason));
        Assert.Equal(57, delay.ObservedMs!.Value, 1.0);
    }

    [Fact]
    public void A_thread_that_starts_within_20_ms_is_none() =>
        Assert.DoesNotContain(Blocked().SlowStarvationAfter(1001, 19).Pass(10).Report().InjectionDelays,
            g => g.Mechanism == Mechanism.G13SlowThread);

    [Fact]
    public void A_slow_start_during_a_collection_is_the_collections()
    {
        var script = Blocked().AdjustAfter(1001, 9, AdjustmentReason.Starvation, PoolScript.Gate).SlowStarvationAfter(1002, 80);
        var delay = script.Suspended(79).Looked(r => r with { WaitMs = 0 }).Report().InjectionDelays
            .Single(g => g.Reason is null && g.IsBy(Mechanism.G12NotRunning) | g.IsBy(Mechanism.G13SlowThread));

        // The suspension was told after the start: the gap is looked at again when the process is.
        Assert.Equal((DelayVerdict.Late, Mechanism.G12NotRunning), (delay.Verdict, delay.Mechanism));
    }

    [Fact]
    public void Workers_that_ended_for_idleness_and_come_again_are_told()
    {
        var script = Blocked().CounterSamples(0).Pass(100).WorkerEnds().WorkerEnds().Pass(5000).Ramp(3).Pass(100).WorkerSleeps();

        var delay = script.Report().InjectionDelays.Last(g => g.Mechanism == Mechanism.G0Ramp);
        Assert.Equal(Mechanism.G15TimeoutChurn, delay.Also);
    }

    [Fact]
    public void Each_ended_worker_is_replaced_once_and_not_after_a_minute()
    {
        var twice = Blocked().CounterSamples(0).Pass(100).WorkerEnds().Pass(5000).Ramp(1).Pass(100).Ramp(1)
            .Pass(100).WorkerSleeps().Report().InjectionDelays.Where(g => g.Mechanism == Mechanism.G0Ramp).ToArray();
        Assert.Equal([null, Mechanism.G15TimeoutChurn, null], twice.Select(g => g.Also));

        var late = Blocked().CounterSamples(0).Pass(100).WorkerEnds().Pass(61_000).Ramp(1)
            .Pass(100).WorkerSleeps().Report().InjectionDelays.Last(g => g.Mechanism == Mechanism.G0Ramp);
        Assert.Null(late.Also);
    }

    [Fact]
    public void Moves_are_counted_apart_from_waits()
    {
        var tally = Blocked().StarvationAfter(1001).ClimbTo(10).ClimbTo(9).Pass(10).WithdrawTo(8).Report().Tally;

        Assert.Equal((3, tally.Total - 3), (tally.Moves, tally.Waits));
    }

    static InjectionDelay Injection(PoolScript script) =>
        script.Report().InjectionDelays.Last(g => g.Reason == AdjustmentReason.Starvation);

    static PoolScript Blocked() => new PoolScript().Opening().CounterSamples(90);
}
