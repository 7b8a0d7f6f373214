using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Ledger;

/// <summary>Compensation for task waits, by measured.md section 2.</summary>
public sealed class CooperativeGapTests
{
    [Fact]
    public void The_measured_schedule_of_8_processors_fits_from_the_first_to_the_last_adjustment()
    {
        var delays = Rises(Schedule(new PoolScript().Opening().CounterSamples(300), 8));

        Assert.Equal(8 + 72 + 20, delays.Length);
        Assert.All(delays, g => Assert.Equal(DelayVerdict.AsExpected, g.Verdict));
        Assert.Equal(8, delays.Count(g => g.Mechanism == Mechanism.G5CooperativeJump));
    }

    [Fact]
    public void The_measured_schedule_of_2_processors_fits_too()
    {
        var delays = Rises(Schedule(new PoolScript().Opening(2).CounterSamples(300), 2));

        Assert.All(delays, g => Assert.Equal(DelayVerdict.AsExpected, g.Verdict));
        Assert.Equal(250, (delays.First(g => g.TargetThreadsAfter == 23).Windows[0].MinMs + delays[^1].Windows[0].MaxMs) / 2, 6.0);
    }

    /// <summary>
    /// A wrong count must not look right. A min that is wrong by half the processors is right for every second worker, since the steps
    /// shift by half a set; what betrays it is the free budget.
    /// </summary>
    [Theory]
    [InlineData(2, 8)]
    [InlineData(4, 8)]
    [InlineData(16, 8)]
    [InlineData(8, 4)]
    [InlineData(8, 16)]
    [InlineData(8, 24)]
    public void The_schedule_of_8_processors_judged_with_other_settings_mostly_does_not_fit(int processors, int min)
    {
        var script = new PoolScript().Processors(processors).Limits(min, 32767).TargetThreads(8).Ramp(8).GateBegins().CounterSamples(300);
        var steps = Rises(Schedule(script, 8))
            .Where(g => g is { Mechanism: Mechanism.G4CooperativeStep, TargetThreadsAfter: <= 88 }).ToArray();

        Assert.InRange(steps.Length, 50, 80);
        Assert.True(steps.Count(g => g.Verdict == DelayVerdict.AsExpected) * 2 < steps.Length);
    }

    [Theory]
    [InlineData(8)]
    [InlineData(2)]
    public void A_starvation_stream_labelled_cooperative_mostly_does_not_fit(int processors)
    {
        var script = new PoolScript().Opening(processors).CounterSamples(300);
        var delays = Rises(script.Repeat(40, s => s.CooperativeAfter(501).CooperativeAfter(1001)).Pass(1000));

        Assert.True(delays.Count(g => g.Verdict == DelayVerdict.AsExpected) * 2 < delays.Length);
    }

    [Fact]
    public void A_cooperative_stream_labelled_starvation_mostly_does_not_fit()
    {
        var script = new PoolScript().Opening().CounterSamples(300).StarvationAfter(1001);
        foreach (var step in Steps(8).Append(250.7).Append(250.9))
        {
            script.StarvationAfter(step);
        }

        var delays = script.Pass(1000).Report().InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation).ToArray();

        Assert.Equal(75, delays.Length);
        Assert.Equal(1, delays.Count(g => g.Verdict == DelayVerdict.AsExpected));
        Assert.Equal(74, delays.Count(g => g.Verdict == DelayVerdict.Early));
    }

    [Fact]
    public void A_jump_within_the_free_budget_comes_at_once()
    {
        var delay = Rises(new PoolScript().Opening().CounterSamples(300).CooperativeAfter(3, by: 8))[^1];

        Assert.Equal((Mechanism.G5CooperativeJump, DelayVerdict.AsExpected), (delay.Mechanism, delay.Verdict));
        Assert.Contains("Up to 16 threads (MinThreads plus processors)", delay.Because, StringComparison.Ordinal);
    }

    [Fact]
    public void A_jump_whose_cause_is_not_in_the_stream_is_not_timed()
    {
        var delay = Rises(new PoolScript().Opening().CounterSamples(300).CooperativeAfter(400, by: 3))[^1];

        Assert.Equal((Mechanism.G5CooperativeJump, DelayVerdict.NotTimed), (delay.Mechanism, delay.Verdict));
    }

    [Fact]
    public void Workers_that_exist_already_are_used_without_delay()
    {
        var script = AtGoal(20).WithdrawTo(17).CooperativeAfter(5);

        Assert.Equal(Mechanism.G5CooperativeJump, Rises(script)[^1].Mechanism);
        Assert.Contains("Up to the 20 threads that exist", Rises(script)[^1].Because, StringComparison.Ordinal);
    }

    [Fact]
    public void A_withdrawal_waits_for_nothing()
    {
        var delay = AtGoal(20).WithdrawTo(18).Report().InjectionDelays[^1];

        Assert.Equal(DelayVerdict.NotTimed, delay.Verdict);
    }

    [Fact]
    public void The_first_step_after_a_withdrawal_is_not_timed_and_the_next_one_is()
    {
        var script = AtGoal(20).WithdrawTo(19).AdjustAfter(60, 21, AdjustmentReason.CooperativeBlocking, PoolScript.Gate)
            .CooperativeAfter(25.6);

        Assert.Equal([DelayVerdict.NotTimed, DelayVerdict.AsExpected], Rises(script)[^2..].Select(g => g.Verdict));
    }

    [Fact]
    public void A_step_that_is_overdue_without_completions_is_late()
    {
        var delay = Rises(AtGoal(40, every: 200).CooperativeAfter(145.7).Pass(1000))[^1];

        Assert.Equal(DelayVerdict.Late, delay.Verdict);
        Assert.Equal(34, delay.LateMs!.Value, 1.0);
    }

    [Fact]
    public void A_single_heartbeat_at_which_an_item_waits_does_not_show_that_nobody_was_free()
    {
        var delay = Rises(AtGoal(20).CooperativeAfter(70.7).Pass(1000))[^1];

        Assert.Equal(DelayVerdict.NotTimed, delay.Verdict);
        Assert.Contains("A thread was free meanwhile", delay.Because, StringComparison.Ordinal);
    }

    [Fact]
    public void A_step_that_is_overdue_while_items_completed_began_a_new_chain_and_is_not_timed()
    {
        var delay = Rises(AtGoal(20, completed: 12).CooperativeAfter(400).Pass(1000))[^1];

        Assert.Equal(DelayVerdict.NotTimed, delay.Verdict);
        Assert.Contains("restarted the delay", delay.Because, StringComparison.Ordinal);
        Assert.Empty(delay.Windows);
    }

    [Fact]
    public void A_step_that_is_overdue_after_a_worker_started_may_have_begun_a_new_chain()
    {
        var delay = Rises(AtGoal(20).Pass(45).WorkerEnds().WorkerAppears().CooperativeAfter(70.7).Pass(1000))[^1];

        Assert.Equal(DelayVerdict.NotTimed, delay.Verdict);
        Assert.Contains("A thread started meanwhile", delay.Because, StringComparison.Ordinal);
    }

    [Fact]
    public void A_step_that_is_overdue_where_a_worker_was_free_may_have_begun_a_new_chain()
    {
        var delay = Rises(AtGoal(20, queueLength: 0).CooperativeAfter(70.7).Pass(1000))[^1];

        Assert.Equal(DelayVerdict.NotTimed, delay.Verdict);
        Assert.Contains("A thread was free meanwhile", delay.Because, StringComparison.Ordinal);
    }

    [Fact]
    public void A_step_that_is_overdue_by_a_min_that_is_assumed_is_not_late()
    {
        var script = new PoolScript().Processors(8).Ramp(8).GateBegins().CounterSamples(300)
            .TargetThreads(20).CooperativeAfter(10).CooperativeAfter(25.6).CooperativeAfter(25.6);
        var delay = Rises(script.CooperativeAfter(70.7).Pass(1000))[^1];

        Assert.Equal(DelayVerdict.NotTimed, delay.Verdict);
    }

    [Fact]
    public void A_step_after_hill_climbing_moved_the_goal_is_not_timed_by_the_goal_it_moved_to()
    {
        var delay = Rises(AtGoal(25).ClimbTo(23).CooperativeAfter(15.6).Pass(1000))[^1];

        Assert.Equal(DelayVerdict.NotTimed, delay.Verdict);
    }

    [Fact]
    public void A_step_before_its_delay_is_early_and_says_when_it_came()
    {
        var delay = Rises(AtGoal(25).CooperativeAfter(25.6))[^1];

        Assert.Equal(DelayVerdict.Early, delay.Verdict);
    }

    [Fact]
    public void After_loss_a_chain_is_not_timed_from_a_step_before_the_loss()
    {
        var script = AtGoal(20).Pass(5).Lose().CooperativeAfter(25.6).CooperativeAfter(25.6).CooperativeAfter(25.6);
        var after = script.Report().InjectionDelays.Where(g => g.Reason == AdjustmentReason.CooperativeBlocking).ToArray()[^3..];

        // Of the first neither the goal before it is known nor, hence, whether it rose.
        Assert.Equal([DelayVerdict.NotTimed, DelayVerdict.NotTimed, DelayVerdict.AsExpected], after.Select(g => g.Verdict));
        Assert.Null(after[0].TargetThreadsBefore);
    }

    [Fact]
    public void After_loss_no_step_is_accused_by_a_min_that_a_lost_call_may_have_set()
    {
        var early = Rises(AtGoal(25).Pass(5).Lose().CooperativeAfter(50.6).CooperativeAfter(50.6).CooperativeAfter(25.6))[^1];
        var late = Rises(AtGoal(25).Pass(5).Lose().CooperativeAfter(50.6).CooperativeAfter(50.6).CooperativeAfter(120.6).Pass(1000))[^1];

        Assert.Equal([DelayVerdict.NotTimed, DelayVerdict.NotTimed], new[] { early, late }.Select(g => g.Verdict));
        Assert.All([early, late], delay =>
            Assert.Contains("Events were lost before that", delay.Because, StringComparison.Ordinal));
    }

    /// <summary>A pool of 8 processors whose goal task waits have raised so far.</summary>
    static PoolScript AtGoal(int targetThreads, long completed = 0, long queueLength = 300, double every = 1000)
    {
        var script = new PoolScript().Opening().CounterSamples(queueLength, completed, every: every).CooperativeAfter(3, by: 8);
        foreach (var step in Steps(8).Take(targetThreads - 16))
        {
            script.CooperativeAfter(step);
        }

        return script;
    }

    /// <summary>The whole schedule as measured: the free budget at once, nine sets of steps, twenty at the cap.</summary>
    static PoolScript Schedule(PoolScript script, int processors)
    {
        script.CooperativeAfter(2);
        script.Repeat(processors - 1, s => s.CooperativeAfter(0.9));
        foreach (var step in Steps(processors).Concat(Enumerable.Repeat(250.8, 20)))
        {
            script.CooperativeAfter(step);
        }

        return script.Pass(1000);
    }

    /// <summary>The steps before the cap; each came 0.6 to 1 ms after its nominal delay.</summary>
    static IEnumerable<double> Steps(int processors) =>
        Enumerable.Range(1, 9).SelectMany(set => Enumerable.Repeat(set * 25 + 0.7, processors));

    static InjectionDelay[] Rises(PoolScript script) =>
        [.. script.Report().InjectionDelays
            .Where(g => g.Reason == AdjustmentReason.CooperativeBlocking && g.TargetThreadsAfter > g.TargetThreadsBefore)];
}
