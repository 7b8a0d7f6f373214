using Tpwatch.Fixtures.Truth;
using Tpwatch.Tests.Fixtures;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Scores;

/// <summary>What the tool saw against what happened.</summary>
public sealed class TruthScoreTests
{
    /// <summary>One worker at once, a second and a third one later, two items that never start.</summary>
    static readonly RunTruth Truth = SampleTruth.Of(
        9000, (0, 1, 5000, 1), (0, 1001, null, 2), (0, 2001, null, 3),
        (0, 5000.5, null, 1), (0, null, null, 0), (0, null, null, 0)).On(processors: 1);

    [Fact]
    public void Each_worker_above_min_has_an_injection_before_it()
    {
        Assert.Equal(new InjectionScore(2, 0, 0), Score(Truth, (1000, 2), (2000, 3)));
        Assert.Equal(new InjectionScore(2, 1, 0), Score(Truth, (1000, 2)));
        Assert.Equal(new InjectionScore(2, 1, 0), Score(Truth, (1000, 2), (2003, 3)) with { Invented = 0 });
    }

    [Fact]
    public void An_injection_without_a_worker_is_invented_only_where_items_went_on_waiting()
    {
        Assert.Equal(1, Score(Truth, (1000, 2), (2000, 3), (3000, 4)).Invented);
        // Just before the end nobody can tell any more.
        Assert.Equal(0, Score(Truth, (1000, 2), (2000, 3), (8900, 4)).Invented);
        var emptied = SampleTruth.Of(9000, (0, 1, null, 1), (0, 1001, null, 2), (0, 2001, null, 3)).On(processors: 1);
        Assert.Equal(0, Score(emptied, (1000, 2), (2000, 3), (3000, 4)).Invented);
    }

    [Fact]
    public void A_goal_that_comes_back_to_where_it_was_makes_no_room_for_a_new_worker() =>
        Assert.Equal(1, Score(Truth, (1000, 2), (1500, 1), (2000, 2)).Missed);

    [Fact]
    public void A_min_below_the_number_of_processors_leaves_the_first_goal_where_it_is() =>
        Assert.Equal(new InjectionScore(1, 0, 0), Score(Truth with { Header = Truth.Header with { Processors = 2 } }, (2000, 3)));

    [Fact]
    public void An_item_queued_now_begins_after_those_that_wait()
    {
        var truth = SampleTruth.Of(9000, (0, 1, 1000, 1), (0, 1001, 2000, 1), (0, 2001, 3000, 1));

        // Two wait and two start; a third would have had the worker that is free at 3,000.
        Assert.Equal(2500, TrueStartDelay.Of(truth, SampleGaps.At(truth, 500))!.Value, 1);
        // Nothing waits any more.
        Assert.Null(TrueStartDelay.Of(truth, SampleGaps.At(truth, 2500)));
        // Those that wait never start.
        Assert.Null(TrueStartDelay.Of(Truth, SampleGaps.At(Truth, 500)));
        var arriving = SampleTruth.Of(9000, (0, 1, 1000, 1), (0, 1001, 2000, 1), (600, 2001, 3000, 1));
        Assert.Equal(1501, TrueStartDelay.Of(arriving, SampleGaps.At(arriving, 500))!.Value, 1);
    }

    static InjectionScore Score(RunTruth truth, params (double At, int TargetThreads)[] injections) => InjectionScore.Of(
        SampleReports.Starved() with
        {
            InjectionDelays = [.. injections
            .Select(one => SampleGaps.Injection(SampleGaps.At(truth, one.At), one.TargetThreads))]
        },
        truth);
}
