using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Ledger;

/// <summary>Waits without an adjustment event: which code each is charged to.</summary>
public sealed class WaitCodeTests
{
    const string Detector = "System.Threading.ThreadPool.DisableStarvationDetection";

    internal static IEnumerable<PoolReport> Told => [AtTop(5), GrownAfterAll(), Wave()];

    [Fact]
    public void A_wait_is_charged_to_what_holds_the_gate_back() => Assert.All<(string Life, PoolScript Script, Mechanism Code)>(
        [
            ("the detector off, and not completions",
                new PoolScript().Opening(2).Switch(Detector).CounterSamples(50, 2).Pass(4000), Mechanism.G9DetectorOff),
            ("the detector off, and nothing completes",
                new PoolScript().Opening(2).Switch(Detector).CounterSamples(50, 0).Pass(4000), Mechanism.G9DetectorOff),
            ("a detector that is on",
                new PoolScript().Opening(2).Switch(Detector, on: false).CounterSamples(50, 2).Pass(4000), Mechanism.G3Undetected),
            ("a known max", new PoolScript().Opening(2).CounterSamples(50, 1).Pass(6000), Mechanism.G3Undetected),
            ("as many workers as max, though the goal is lower",
                new PoolScript().Processors(2).Limits(2, 4).Ramp(4).GateBegins().CounterSamples(90).Pass(6000), Mechanism.G8Ceiling),
            ("a stop", new PoolScript().Opening(2).CounterSamples(5, 0).Pass(1000).NoBeats().Pass(6000).Stopped(5900)
                .CounterSample(5, 0, 2, 0.01), Mechanism.G12NotRunning),
        ],
        life => Assert.Equal((life.Life, life.Code), (life.Life, Waiting(life.Script).Single().Mechanism)));

    [Fact]
    public void A_pool_that_does_nothing_below_its_max_is_wedged()
    {
        var delay = Waiting(new PoolScript().Opening(2).CounterSamples(5, 0).Pass(6000)).Single();
        Assert.Equal((Mechanism.G14Wedged, DelayVerdict.Open), (delay.Mechanism, delay.Verdict));
    }

    [Fact]
    public void Once_something_is_dequeued_it_was_late() =>
        Assert.Equal(DelayVerdict.Late, Waiting(new PoolScript().Opening(2).CounterSamples(5, 0).Pass(6000)
            .CounterSamples(0, 5).Pass(1000)).Single().Verdict);

    [Fact]
    public void Where_max_is_not_visible_ticks_that_are_owed_show_it_though_each_second_brings_a_dequeue()
    {
        var script = new PoolScript().Processors(2).WorkerAppears().WorkerAppears().CounterSamples(50, 1).Pass(10_000);
        Assert.Equal(Verdict.SilentlyStarved, script.Report().Verdict);
        Assert.Equal(Verdict.StarvedAtMax, script.Pass(5_000).Report().Verdict);

        // Two a second may leave no moment at which the gate's condition holds.
        var other = new PoolScript().Processors(2).WorkerAppears().WorkerAppears().CounterSamples(90, 2).Pass(30_000);
        Assert.Equal(Verdict.SilentlyStarved, other.Report().Verdict);
    }

    [Fact]
    public void What_hill_climbing_takes_and_the_gate_gives_back_was_below_max()
    {
        PoolScript Cycle(PoolScript s) => s.ClimbTo(5).GivenBackAfter(900).Pass(5_000);
        var script = new PoolScript().Processors(2).Repeat(5, s => s.WorkerAppears()).ClimbTo(5).StarvationAfter(1001).CounterSamples(90, 1)
            .Pass(4_000);
        Assert.NotEqual(Verdict.StarvedAtMax, script.Report().Verdict);
        Assert.Equal(Verdict.StarvedAtMax, script.Repeat(3, Cycle).Report().Verdict);

        // It stays so when that is given back once more, and not when the goal rises to where it has not been.
        Assert.Equal(Verdict.StarvedAtMax, script.ClimbTo(5).GivenBackAfter(900).Pass(1_500).Report().Verdict);
        Assert.Equal(Verdict.Starved, script.StarvationAfter(900).Pass(1_500).Report().Verdict);
    }

    [Fact]
    public void Threads_that_were_there_when_the_capture_began_were_wanted_once()
    {
        var script = new PoolScript().Processors(2).Repeat(6, s => s.WorkerAppears()).CounterSamples(90, 1).Pass(13_000);
        Assert.Equal(Verdict.StarvedAtMax, script.Report().Verdict);

        // By goals alone the first two injections would be news.
        Assert.Equal(Verdict.StarvedAtMax, script.ClimbTo(4).GivenBackAfter(900).GivenBackAfter(501).Pass(1_500).Report().Verdict);
        Assert.Equal(Verdict.Starved, script.StarvationAfter(501).Pass(1_500).Report().Verdict);
    }

    [Fact]
    public void Checks_that_give_back_what_hill_climbing_takes_again_and_again_are_answered()
    {
        var script = new PoolScript().Processors(2).Repeat(5, s => s.WorkerAppears()).CounterSamples(90, 1);
        Assert.Equal(Verdict.Starved,
            script.Repeat(20, s => s.ClimbTo(4).GivenBackAfter(900).Pass(1_100)).Report().Verdict);
    }

    [Fact]
    public void Answers_of_long_ago_do_not_count_against_checks_of_now()
    {
        var script = new PoolScript().Processors(2).Repeat(5, s => s.WorkerAppears()).CounterSamples(90, 2)
            .Repeat(200, s => s.ClimbTo(4).GivenBackAfter(900));
        Assert.Equal(Verdict.StarvedAtMax, script.CounterSamples(90, 1).Pass(150_000).Report().Verdict);
    }

    [Fact]
    public void A_pool_that_grows_beyond_where_it_stood_is_not_at_max_though_it_was_larger_once()
    {
        var script = new PoolScript().Processors(2).Repeat(9, s => s.WorkerAppears()).CounterSamples(0, 9).Pass(3_000)
            .Repeat(4, s => s.WorkerEnds()).ClimbTo(5).CounterSamples(90, 1).Pass(14_000);
        Assert.Equal(Verdict.StarvedAtMax, script.Report().Verdict);
        Assert.Equal(Verdict.Starved, script.Pass(300).StarvationAfter(900).Pass(1_500).Report().Verdict);
    }

    [Fact]
    public void Where_max_is_not_visible_ticks_at_which_nobody_came_show_it()
    {
        var report = new PoolScript().Processors(2).WorkerAppears().WorkerAppears().CounterSamples(5, 0).Pass(6000).Report();
        var delay = report.InjectionDelays.Single(g => g.Mechanism == Mechanism.G8Ceiling);

        Assert.Null(delay.Also);
        Assert.Equal(Verdict.StarvedAtMax, report.Verdict);
    }

    [Fact]
    public void Task_waits_that_bring_the_goal_to_the_same_threads_again_and_again_show_a_max_that_is_not_visible()
    {
        Assert.NotEqual(Verdict.StarvedAtMax, AtTop(2).Report().Verdict);
        var report = AtTop(5).Report();
        Assert.Equal(Verdict.StarvedAtMax, report.Verdict);
        Assert.Equal(Confidence.Medium, report.Findings.Single(f => f.Id == "TPW005").Confidence);
    }

    [Fact]
    public void A_pool_that_goes_on_from_there_or_whose_memory_is_high_or_whose_rises_are_too_fast_is_not_at_max()
    {
        Assert.Equal(Verdict.Starved, AtTop(6).CooperativeAfter(1100).Pass(1500).Report().Verdict);
        Assert.NotEqual(Verdict.StarvedAtMax, AtTop(6, memoryLoad: 0.95).Report().Verdict);
        Assert.Equal(Verdict.Starved, AtTop(1).Repeat(20, s => s.WithdrawTo(30, 200).AdjustAfter(
            200, 50, AdjustmentReason.CooperativeBlocking, PoolScript.Gate)).Report().Verdict);
    }

    [Fact]
    public void A_max_that_was_read_decides()
    {
        Assert.NotEqual(Verdict.StarvedAtMax, Fifty().Read(8, 32767).Repeat(6, Again).Report().Verdict);
        Assert.Equal(Verdict.StarvedAtMax, Fifty().Read(8, 50).Repeat(4, Again).Report().Verdict);
    }

    /// <summary>What is said of min and max in both is in the catalogue of sentences.</summary>
    [Fact]
    public void A_wave_without_room_is_at_max_and_a_pool_that_grows_after_all_was_not()
    {
        Assert.Contains(Waiting(Wave()), g => g.Mechanism == Mechanism.G8Ceiling);
        Assert.Single(GrownAfterAll().Report().InjectionDelays, g => g.Mechanism == Mechanism.G8Ceiling);
    }

    static PoolScript Wave() => Fifty().Pass(1000).Repeat(8, s => s.Sampled().Pass(500));

    static PoolScript GrownAfterAll() => new PoolScript().Processors(2).WorkerAppears().WorkerAppears().ClimbTo(2)
        .CounterSamples(5, 0).Pass(6000).StarvationAfter(900).Pass(1500);

    static PoolScript Fifty() => new PoolScript().Processors(8).Repeat(50, s => s.WorkerAppears()).CounterSamples(90, 40).Pass(3000);

    static PoolScript AtTop(int times, double? memoryLoad = null) =>
        Fifty().Looked(r => r with { MemoryLoad = memoryLoad ?? 0.3 }).WithdrawTo(30).Repeat(times, Again);

    // Most of fifty waits end, and as many begin: every thread that exists is called back, and no other comes.
    static PoolScript Again(PoolScript script) => script.WithdrawTo(30, 1000)
        .AdjustAfter(20, 50, AdjustmentReason.CooperativeBlocking, PoolScript.Gate).Pass(950);

    [Fact]
    public void Items_that_end_two_seconds_apart_leave_ticks_between_them_that_show_it_too()
    {
        var script = new PoolScript().Processors(2).WorkerAppears().WorkerAppears();
        for (var i = 0; i < 8; i++)
        {
            script.CounterSample(90, i % 2 == 0 ? 0 : 2, 2, 0.02).Pass(1000);
        }

        Assert.Equal(Verdict.StarvedAtMax, script.Report().Verdict);
    }

    [Fact]
    public void Fewer_workers_than_processors_cannot_be_at_a_max_that_a_call_has_set()
    {
        var report = new PoolScript().Processors(4).Repeat(7, s => s.Pass(1000).CounterSample(50, 0, 2, 0.02)).Report();

        Assert.Equal(Verdict.Wedged, report.Verdict);
    }

    [Fact]
    public void Fewer_workers_than_processors_that_all_hold_an_item_may_be_at_max() => Assert.Equal(Verdict.StarvedAtMax,
        new PoolScript().Processors(4).WorkerAppears().WorkerAppears().CounterSamples(50, 0).Pass(7000).Report().Verdict);

    [Fact]
    public void A_max_that_task_waits_show_is_no_longer_shown_three_seconds_after_the_last_of_them()
    {
        Assert.False(AtTop(2).WithdrawTo(30, 1000).Pass(1500).Ledger.IsAtMax);
        Assert.True(AtTop(5).WithdrawTo(30, 1000).Pass(1500).Ledger.IsAtMax);
        Assert.False(AtTop(5).WithdrawTo(30, 1000).Pass(4500).Ledger.IsAtMax);
    }

    [Fact]
    public void A_wait_at_an_inferred_max_that_no_thread_ends_says_at_its_end_what_it_said_before()
    {
        var script = new PoolScript().Processors(2).WorkerAppears().WorkerAppears().ClimbTo(2).CounterSamples(5, 0).Pass(6000);
        var open = Assert.Single(Waiting(script));
        var closed = Assert.Single(Waiting(script.CounterSamples(0, 5).Pass(1000)));

        Assert.Equal((DelayVerdict.Open, DelayVerdict.AsExpected, open.Because), (open.Verdict, closed.Verdict, closed.Because));
    }

    [Fact]
    public void Injections_busy_processors_an_unknown_load_and_a_short_stall_are_no_wedge() => Assert.All<PoolScript>(
        [
            new PoolScript().Opening().CounterSamples(90).Repeat(6, s => s.StarvationAfter(1001)),
            new PoolScript().Opening(2).CounterSamples(2, 0, 0.9).Pass(6000),
            new PoolScript().Opening(2).CounterSamples(2, 0, cpu: null).Pass(6000),
            new PoolScript().Opening(2).CounterSamples(2, 0).Pass(2500), new PoolScript().Opening(2).CounterSamples(0, 0).Pass(6000),
        ],
        script => Assert.Empty(Waiting(script)));

    [Fact]
    public void A_wait_that_is_mostly_suspension_is_charged_to_it_and_is_not_the_pools()
    {
        static PoolScript Suspended(double ms) =>
            new PoolScript().Opening(2).CounterSamples(50, 1).Repeat(5, s => s.Pass(900).Suspended(ms).Pass(100));

        var report = Suspended(700).Report();
        Assert.All(Waiting(Suspended(700)), g => Assert.Equal(Mechanism.G12NotRunning, g.Mechanism));
        Assert.Equal(Verdict.NotThePool, report.Verdict);
        Assert.Equal(HindranceKind.Suspension, Assert.Single(report.Timeline.HindranceTotals).Kind);
        Assert.Equal(Mechanism.G3Undetected, Waiting(Suspended(20)).Single().Mechanism);
        Assert.Equal(Verdict.SilentlyStarved, Suspended(20).Report().Verdict);
    }

    static InjectionDelay[] Waiting(PoolScript script) =>
        [.. script.Report().InjectionDelays.Where(g => g.Reason is null && g.Mechanism is not (Mechanism.G0Ramp or Mechanism.G1GateTick))];
}
