using Tpwatch.Benchmarks.Scores;
using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;
using Tpwatch.Tests.Fixtures;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Scores;

/// <summary>The arithmetic of tests/SCORES.md: a score that flatters would be worse than none.</summary>
public sealed class ScoreTests
{
    static readonly EventTime Zero = new(5_000_000_000);

    [Fact]
    public void A_share_is_rounded_down_so_that_a_missed_goal_does_not_look_met()
    {
        Assert.Equal("98.9 % (9899 of 10000)", new Share(9899, 10_000).ToString());
        Assert.Equal("100.0 % (3 of 3)", new Share(3, 3).ToString());
        Assert.Equal("none", default(Share).ToString());
        Assert.Equal(new Share(4, 8), new Share(1, 3) + new Share(3, 5));
    }

    [Fact]
    public void A_goal_without_anything_measured_is_neither_met_nor_missed()
    {
        Assert.Null(ScoreRow.AtLeast("", 0.99, default).Met);
        Assert.Null(ScoreRow.Under("", 0.5, default).Met);
        Assert.True(ScoreRow.AtLeast("", 0.99, new(99, 100)).Met);
        Assert.False(ScoreRow.AtLeast("", 0.99, new(989, 1000)).Met);
        Assert.False(ScoreRow.Under("", 0.5, new(1, 2)).Met);
        Assert.False(ScoreRow.Zero("", 1, "").Met);
    }

    [Fact]
    public void Only_a_gap_in_a_narrow_window_is_inside_and_one_without_a_clock_is_not_asked()
    {
        Gap[] gaps =
        [
            Gap(GapVerdict.Fits, new GapWindow(490, 510)),
            Gap(GapVerdict.Fits, new GapWindow(400, 600)),
            Gap(GapVerdict.Late, new GapWindow(400, 410)),
            Gap(GapVerdict.Fits),
            Gap(GapVerdict.NotTimed),
            Gap(GapVerdict.NoRule) with { Rule = GapRule.None },
            Gap(GapVerdict.NoData) with { Rule = GapRule.None },
            Gap(GapVerdict.Open) with { Rule = GapRule.None },
        ];

        var score = GapScore.Of(Reports.Starved() with { Gaps = [.. gaps] }, SampleTruth.Of(1000));

        Assert.Equal((new Share(5, 6), new Share(1, 4), new Share(1, 4)), (score.WithRule, score.Inside, score.Widened));
    }

    [Fact]
    public void Late_is_excused_by_as_much_as_the_fixture_itself_was_held_up_and_by_no_less()
    {
        var truth = SampleTruth.Of(1000, (0, 1, 900, 1));
        var start = SampleGaps.At(truth, 0);

        Assert.True(HiccupExcuse.Holds(SampleGaps.Gap(start, start.PlusMs(22), GapVerdict.Late, new GapWindow(10, 20)), truth));
        Assert.False(HiccupExcuse.Holds(SampleGaps.Gap(start, start.PlusMs(23), GapVerdict.Late, new GapWindow(10, 20)), truth));
        Assert.False(HiccupExcuse.Holds(SampleGaps.Gap(start, start.PlusMs(9), GapVerdict.Early, new GapWindow(10, 20)), truth));
        var later = start.PlusMs(10);
        Assert.False(HiccupExcuse.Holds(SampleGaps.Gap(later, later.PlusMs(22), GapVerdict.Late, new GapWindow(10, 20)), truth));
    }

    [Fact]
    public void A_tick_is_explained_when_the_answer_is_what_happened()
    {
        var truth = SampleTruth.Of(9000, (0, 1, 5000, 1), (0, 2, null, 2));
        var gap = SampleGaps.Ticking(
            SampleGaps.Tick(SampleGaps.At(truth, 1000), fired: false, answer: false),
            SampleGaps.Tick(SampleGaps.At(truth, 1500), fired: false, answer: true, sure: false),
            SampleGaps.Tick(SampleGaps.At(truth, 2000), fired: true, answer: null, sure: false),
            SampleGaps.Tick(SampleGaps.At(truth, 5500), fired: true, answer: true));

        var score = ExplainedTicks.Of(Reports.Starved() with { Gaps = [gap] }, truth);

        // Half a second before the last one an item had ended.
        Assert.Equal((new Share(1, 3), new Share(1, 1), new Share(2, 4)), (score.Pure, score.PureSure, score.All));
    }

    [Fact]
    public void A_part_between_markers_is_replaced_and_the_rest_is_left_alone()
    {
        var twice = GeneratedPart.Replace(GeneratedPart.Replace("before\n", "a", "old"), "b", "other");
        var anew = GeneratedPart.Replace(twice, "a", "new\n");

        Assert.Equal("before\n\n<!-- a: generated -->\n\nnew\n\n<!-- a: end -->\n\n<!-- b: generated -->\n\nother\n\n<!-- b: end -->\n", anew);
        Assert.Equal(anew, GeneratedPart.Replace(anew, "b", "other"));
    }

    static Gap Gap(GapVerdict verdict, params GapWindow[] windows) => SampleGaps.Gap(Zero, Zero.PlusMs(500), verdict, windows);
}
