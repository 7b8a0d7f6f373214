using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Lab.Scores;
using Tpwatch.Reports;
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
    public void Only_a_wait_in_a_narrow_window_is_inside_one_without_a_clock_is_not_timed_and_one_without_a_rule_counts_as_such()
    {
        InjectionDelay[] delays =
        [
            InjectionDelay(DelayVerdict.AsExpected, new DelayWindow(490, 510)),
            InjectionDelay(DelayVerdict.AsExpected, new DelayWindow(400, 600)),
            InjectionDelay(DelayVerdict.Late, new DelayWindow(400, 410)),
            InjectionDelay(DelayVerdict.AsExpected),
            InjectionDelay(DelayVerdict.NotTimed),
            InjectionDelay(DelayVerdict.NoRule) with { Mechanism = Mechanism.None },
            InjectionDelay(DelayVerdict.NoData) with { Mechanism = Mechanism.None },
            InjectionDelay(DelayVerdict.Open) with { Mechanism = Mechanism.None },
            // No wait: hill climbing moved the goal.
            InjectionDelay(DelayVerdict.NotTimed) with { Mechanism = Mechanism.G11Probing, Reason = AdjustmentReason.ClimbingMove },
        ];

        var score = GapScore.Of(SampleReports.Starved() with { InjectionDelays = [.. delays] }, SampleTruth.Of(1000));

        Assert.Equal((new Share(4, 6), new Share(1, 4), new Share(1, 4), new Share(1, 6)),
            (score.Timed, score.Inside, score.Widened, score.Unexplained));
    }

    [Theory]
    [InlineData(20, 40, true)]
    // For the last 10 of the 40 ms the machine ran it.
    [InlineData(20, 30, false)]
    // It was over before the wait was late.
    [InlineData(0, 20, false)]
    public void Late_is_excused_by_a_standstill_over_the_time_in_which_it_was_late_and_by_no_other(double from, double to, bool excused)
    {
        var truth = SampleTruth.Of(1000, (0, 1, 900, 1));
        var start = SampleGaps.At(truth, 0);
        truth = truth with { Hiccups = [new TruthHiccup { At = start.PlusMs(to).Nanoseconds, OvershootMs = to - from }] };

        Assert.Equal(
            excused, TrueStandstill.Excuses(SampleGaps.InjectionDelay(start, start.PlusMs(40), DelayVerdict.Late, new DelayWindow(10, 20)),
                truth));
        Assert.False(TrueStandstill.Excuses(SampleGaps.InjectionDelay(start, start.PlusMs(9), DelayVerdict.Early, new DelayWindow(10, 20)),
            truth));
    }

    [Fact]
    public void A_standstill_counts_for_the_part_that_overlaps()
    {
        var truth = SampleTruth.Of(1000, (0, 1, 900, 1));
        var start = SampleGaps.At(truth, 0);
        truth = truth with
        {
            Hiccups = [new TruthHiccup { At = start.PlusMs(100).Nanoseconds, OvershootMs = 60 },
            new TruthHiccup { At = start.PlusMs(300).Nanoseconds, OvershootMs = 10 }]
        };

        Assert.Equal((30, 0, 70),
            (TrueStandstill.MsWithin(truth, start, start.PlusMs(70)), TrueStandstill.MsWithin(truth, start.PlusMs(110), start.PlusMs(200)),
                TrueStandstill.MsWithin(truth, start, start.PlusMs(400))));
        Assert.Equal(
            (60, 10), (TrueStandstill.LongestMs(truth, start, start.PlusMs(400)),
                TrueStandstill.LongestMs(truth, start.PlusMs(295), start.PlusMs(400))));
    }

    [Fact]
    public void A_tick_is_explained_when_the_answer_is_what_happened()
    {
        var truth = SampleTruth.Of(9000, (0, 1, 5000, 1), (0, 2, null, 2));
        var delay = SampleGaps.Ticking(
            SampleGaps.Tick(SampleGaps.At(truth, 1000), fired: false, answer: false),
            SampleGaps.Tick(SampleGaps.At(truth, 1500), fired: false, answer: true, sure: false),
            SampleGaps.Tick(SampleGaps.At(truth, 2000), fired: true, answer: null, sure: false),
            SampleGaps.Tick(SampleGaps.At(truth, 5500), fired: true, answer: true));

        var score = ExplainedTicks.Of(SampleReports.Starved() with { InjectionDelays = [delay] }, truth);

        // Half a second before the last one an item had ended.
        Assert.Equal((new Share(1, 3), new Share(1, 1), new Share(2, 4)), (score.Pure, score.PureSure, score.All));
    }

    [Fact]
    public void A_part_between_markers_is_replaced_and_the_rest_is_left_alone()
    {
        var twice = GeneratedPart.Replace(GeneratedPart.Replace("before\n", "a", "old"), "b", "other");
        var anew = GeneratedPart.Replace(twice, "a", "new\n");

        Assert.Equal(
            "before\n\n<!-- a: generated -->\n\nnew\n\n<!-- a: end -->\n\n<!-- b: generated -->\n\nother\n\n<!-- b: end -->\n", anew);
        Assert.Equal(anew, GeneratedPart.Replace(anew, "b", "other"));
    }

    static InjectionDelay InjectionDelay(DelayVerdict verdict, params DelayWindow[] windows) =>
        SampleGaps.InjectionDelay(Zero, Zero.PlusMs(500), verdict, windows);
}
