using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using static Tpwatch.Tests.Ledger.Delays;

namespace Tpwatch.Tests.Ledger;

/// <summary>Compensation for task waits, by measured.md section 2.</summary>
public sealed class CooperativeGapTests
{
    internal static IEnumerable<PoolReport> Told => [AtGoal(20).WithdrawTo(17).CooperativeAfter(5), .. Overdue()];

    [Fact]
    public void The_measured_schedule_of_8_processors_fits_from_the_first_to_the_last_adjustment()
    {
        var delays = Rises(Schedule(Waiting(), 8));

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
        var script = Waiting().StarvationAfter(1001);
        foreach (var step in Steps(8).Append(250.7).Append(250.9))
        {
            script.StarvationAfter(step);
        }

        var delays = script.Pass(1000).Injections();

        Assert.Equal(75, delays.Length);
        Assert.Equal(1, delays.Count(g => g.Verdict == DelayVerdict.AsExpected));
        Assert.Equal(74, delays.Count(g => g.Verdict == DelayVerdict.Early));
    }

    [Fact]
    public void A_jump_comes_at_once_where_the_free_budget_or_workers_that_exist_allow_it() => Are<(Mechanism, DelayVerdict)>(
        g => (g.Mechanism, g.Verdict),
        ("within the free budget", Rise(Waiting().CooperativeAfter(3, by: 8)), (Mechanism.G5CooperativeJump, DelayVerdict.AsExpected)),
        ("whose cause is not in the stream",
            Rise(Waiting().CooperativeAfter(400, by: 3)), (Mechanism.G5CooperativeJump, DelayVerdict.NotTimed)),
        ("to workers that exist already",
            Rise(AtGoal(20).WithdrawTo(17).CooperativeAfter(5)), (Mechanism.G5CooperativeJump, DelayVerdict.AsExpected)));

    [Fact]
    public void A_step_that_is_overdue_without_completions_is_late()
    {
        var delay = Rise(AtGoal(40, every: 200).CooperativeAfter(145.7).Pass(1000));
        Assert.Equal(DelayVerdict.Late, delay.Verdict);
        Assert.Equal(34, delay.LateMs!.Value, 1.0);
    }

    [Fact]
    public void A_step_is_judged_by_what_is_known_of_its_chain()
    {
        var second = AtGoal(20).WithdrawTo(19).AdjustAfter(60, 21, AdjustmentReason.CooperativeBlocking, PoolScript.Gate)
            .CooperativeAfter(25.6);
        AreJudged(
            ("before its delay", Rise(AtGoal(25).CooperativeAfter(25.6)), DelayVerdict.Early),
            ("a withdrawal", AtGoal(20).WithdrawTo(18).Report().InjectionDelays[^1], DelayVerdict.NotTimed),
            ("the first after a withdrawal", Rises(second)[^2], DelayVerdict.NotTimed),
            ("the second after a withdrawal", Rises(second)[^1], DelayVerdict.AsExpected),
            ("overdue by a min that is assumed", Rise(new PoolScript().Processors(8).Ramp(8).GateBegins().CounterSamples(300)
                .TargetThreads(20).CooperativeAfter(10).CooperativeAfter(25.6).CooperativeAfter(25.6)
                .CooperativeAfter(70.7).Pass(1000)), DelayVerdict.NotTimed),
            ("after hill climbing moved the goal",
                Rise(AtGoal(25).ClimbTo(23).CooperativeAfter(15.6).Pass(1000)), DelayVerdict.NotTimed));
    }

    /// <summary>The catalogue of sentences holds what is said of each.</summary>
    [Fact]
    public void A_step_that_is_overdue_where_a_new_chain_may_have_begun_is_not_timed() =>
        Assert.All(Overdue(), script => Assert.Equal(DelayVerdict.NotTimed, Rise(script).Verdict));

    [Fact]
    public void A_jump_to_workers_that_exist_says_how_many_do() => Assert.Contains(
        "Up to the 20 threads that exist,", Rise(AtGoal(20).WithdrawTo(17).CooperativeAfter(5)).Because, StringComparison.Ordinal);

    [Fact]
    public void After_loss_a_chain_is_not_timed_from_a_step_before_the_loss()
    {
        var script = AtGoal(20).Pass(5).Lose().CooperativeAfter(25.6).CooperativeAfter(25.6).CooperativeAfter(25.6);
        var after = script.Report().InjectionDelays.Where(g => g.Reason == AdjustmentReason.CooperativeBlocking).ToArray()[^3..];
        // Of the first neither the goal before it is known nor, hence, whether it rose.
        Assert.Equal([DelayVerdict.NotTimed, DelayVerdict.NotTimed, DelayVerdict.AsExpected], after.Select(g => g.Verdict));
        Assert.Null(after[0].TargetThreadsBefore);
    }

    // A worker may have been free, or have started; items completed; and a lost call may have set min.
    static PoolScript[] Overdue() =>
    [
        AtGoal(20).CooperativeAfter(70.7).Pass(1000), AtGoal(20, queueLength: 0).CooperativeAfter(70.7).Pass(1000),
        AtGoal(20, completed: 12).CooperativeAfter(400).Pass(1000),
        AtGoal(20).Pass(45).WorkerEnds().WorkerAppears().CooperativeAfter(70.7).Pass(1000),
        Lossy().CooperativeAfter(25.6), Lossy().CooperativeAfter(120.6).Pass(1000),
    ];

    static PoolScript Lossy() => AtGoal(25).Pass(5).Lose().CooperativeAfter(50.6).CooperativeAfter(50.6);

    static PoolScript Waiting() => new PoolScript().Opening().CounterSamples(300);

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

    static InjectionDelay Rise(PoolScript script) => Rises(script)[^1];

    static InjectionDelay[] Rises(PoolScript script) =>
        [.. script.Report().InjectionDelays
            .Where(g => g.Reason == AdjustmentReason.CooperativeBlocking && g.TargetThreadsAfter > g.TargetThreadsBefore)];
}
