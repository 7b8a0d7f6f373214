using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Tests.Fixtures;

namespace Tpwatch.Tests.Scores;

/// <summary>
/// Which verdict is right follows from the record of a run and from what its items do, and from nothing that a tool said.
/// </summary>
public sealed class TrueVerdictTests
{
    [Fact]
    public void Nothing_waited_is_healthy_and_with_workers_beyond_the_processors_for_task_waits_compensated()
    {
        var truth = Truth((0, 1, 5000, 1), (0, 2, 5000, 2), (0, 300, 5000, 3));

        Assert.Equal(["healthy"], Of(truth, ItemWork.Block));
        Assert.Equal(["compensated"], Of(truth, ItemWork.WaitForTasks));
        Assert.Equal(["healthy", "compensated"], Of(truth.On(processors: 3), ItemWork.WaitForTasks));
    }

    [Fact]
    public void A_worker_that_comes_after_a_pause_makes_it_starved_and_without_one_it_is_silent()
    {
        Assert.Equal(["starved"], Of(Truth((0, 1, null, 1), (0, 2, null, 2), (0, 1003, null, 3), (0, null, null, 0)), ItemWork.Block));
        // The third worker came when an item had just been taken: hill climbing, not the detector.
        Assert.Equal(["silentlyStarved"],
            Of(Truth((0, 1, 400, 1), (0, 2, null, 2), (0, 401, 800, 1), (0, 600, null, 3), (0, 801, null, 1), (0, null, null, 0)),
                ItemWork.Block));
        Assert.Equal(["starved"],
            Of(Truth((0, 1, 400, 1), (0, 2, null, 2), (0, 401, 800, 1), (0, 600, null, 3), (0, 801, null, 1), (0, null, null, 0)),
                ItemWork.WaitForTasks));
        Assert.Equal(["saturated"], Of(Truth((0, 1, null, 1), (0, 2, null, 2), (0, 1003, null, 3), (0, null, null, 0)), ItemWork.Compute));
    }

    [Fact]
    public void What_lasts_at_the_end_decides_before_what_lasted_longest()
    {
        // Starved for 5 s, then calm, then 2.9 s at the end in which nobody comes.
        var truth = Truth((0, 1, 4000, 1), (0, 2, 4100, 2), (0, 1003, 4200, 3), (0, 4001, 4300, 1),
            (6000, 6001, null, 1), (6000, 6001, null, 2), (6000, 6001, null, 3), (6100, null, null, 0));

        Assert.Equal(["silentlyStarved"], Of(truth, ItemWork.Block));
    }

    [Fact]
    public void Who_attaches_late_is_asked_of_what_came_afterwards_alone()
    {
        var truth = Truth((0, 1, null, 1), (0, 2, null, 2), (0, 1003, null, 3), (0, 1504, 5000, 4), (0, null, null, 0));

        Assert.Equal(["silentlyStarved"], TrueVerdict.Of(truth, ItemWork.Block, SampleGaps.At(truth, 2000)));
        // Of the wait less than a second is left.
        Assert.Contains("healthy", TrueVerdict.Of(truth, ItemWork.Block, SampleGaps.At(truth, 8500)));
        Assert.Contains("undecided", TrueVerdict.Of(truth, ItemWork.Block, SampleGaps.At(truth, 8500)));
    }

    [Fact]
    public void A_process_that_did_not_run_is_not_the_pools_fault()
    {
        var truth = Truth((0, 1, 5000, 1), (0, 2, 5000, 2), (0, 1500, 5000, 1));
        var stopped = truth with { Hiccups = [new TruthHiccup { At = SampleGaps.At(truth, 1400).Nanoseconds, OvershootMs = 1300 }] };

        Assert.Equal(["notThePool"], Of(stopped, ItemWork.Block));
    }

    [Fact]
    public void On_the_border_both_are_right()
    {
        Assert.Equal(["healthy", "silentlyStarved"], Of(Truth((0, 1, 990, 1), (0, 2, 5000, 2), (0, 991, 5000, 1)), ItemWork.Block).Order());
        Assert.Equal(["healthy"], Of(Truth((0, 1, 500, 1), (0, 2, 5000, 2), (0, 501, 5000, 1)), ItemWork.Block));
    }

    static string[] Of(RunTruth truth, ItemWork work) => [.. TrueVerdict.Of(truth, work, SampleGaps.At(truth, -10))];

    static RunTruth Truth(params (double, double?, double?, int)[] items) =>
        SampleTruth.Of(9000, items).On(processors: 2) with { Hiccups = [] };
}
