using Tpwatch.Reports;
using Tpwatch.Text;

namespace Tpwatch.Tests.Render.Text;

public sealed class DecisionLineRendererTests
{
    [Fact]
    public void A_wait_that_changed_no_goal_has_one_goal()
    {
        var open = SampleReports.InjectionDelay(1, 0, 2500) with { Reason = null, TargetThreadsBefore = 4, TargetThreadsAfter = 4 };
        Assert.Contains(
            "goal 4 gap", new DecisionLineRenderer(TimeStyle.Utc).Decision(open, SampleReports.With(open)), StringComparison.Ordinal);
    }

    [Fact]
    public void A_starvation_injection_reads_as_the_contract_says() => Assert.Equal(
        "2026-11-21T02:29:06.603Z Starvation goal 12->13 gap 1003ms tick 2 (tick 1: 500ms since dequeue, not >500) fits G1 cpu 6% queue 72",
        Line(SampleReports.GateCheck(5)));

    [Fact]
    public void Elapsed_time_counts_from_the_start_of_the_capture() => Assert.StartsWith(
        "6.603 Starvation ", Line(SampleReports.GateCheck(5), TimeStyle.Elapsed), StringComparison.Ordinal);

    [Fact]
    public void The_first_tick_needs_no_explanation_of_earlier_ones() => Assert.Contains(
        " gap 501ms tick 1 fits ",
        Line(SampleReports.InjectionDelay(1, 0, 501) with { Ticks = [SampleReports.Fired(501)] }), StringComparison.Ordinal);

    [Fact]
    public void A_doubtful_tick_says_so() => Assert.Contains(
        "(tick 1, not certain: 500ms",
        Line(SampleReports.GateCheck(1) with { Ticks = [SampleReports.Quiet(1) with { Sure = false }, SampleReports.Fired(2)] }),
        StringComparison.Ordinal);

    [Fact]
    public void Of_many_ticks_the_first_three_and_the_last_are_told()
    {
        var line = Line(SampleReports.GateCheck(
            1) with
        { Ticks = [.. Enumerable.Range(1, 14).Select(i => SampleReports.Quiet(i)), SampleReports.Fired(15)] });
        Assert.Contains(" tick 15 (tick 1: ", line, StringComparison.Ordinal);
        Assert.Contains("; tick 3: 500ms since dequeue, not >500; 10 more ticks; tick 14: ", line, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Mechanism.G0Ramp, "Ramp")]
    [InlineData(Mechanism.G3Undetected, "SilentStarvation")]
    [InlineData(Mechanism.G8Ceiling, "Ceiling")]
    [InlineData(Mechanism.None, "Unexplained")]
    public void A_wait_without_an_adjustment_gets_a_word_of_ours(Mechanism rule, string word)
    {
        var line = Line(SampleReports.GateCheck(5) with { Reason = null, TargetThreadsAfter = null, Ticks = [], Mechanism = rule });
        Assert.StartsWith($"2026-11-21T02:29:06.603Z {word} goal 12 gap 1003ms fits ", line, StringComparison.Ordinal);
    }

    [Fact]
    public void Hill_climbing_has_no_clock() => Assert.Equal(
        "2026-11-21T02:29:28.000Z ClimbingMove goal 33->34 gap ? notTimed G11 cpu 6% queue 72",
            Line(SampleReports.Starved().InjectionDelays[^1]));

    [Fact]
    public void What_is_not_known_is_a_question_mark_and_never_a_number()
    {
        var line = Line(SampleReports.Damaged().InjectionDelays[0]);
        Assert.Equal("2026-11-21T02:29:04.100Z Starvation goal ?->11 gap ? noData ? cpu ? queue ? because events were lost inside", line);
    }

    [Fact]
    public void An_open_wait_says_that_it_is_open_and_why() => Assert.Equal(
        "2026-11-21T02:29:04.200Z SilentStarvation goal 8 gap 3200ms tick 2 (tick 1: 500ms since dequeue, "
            + "not >500) open G3 cpu 6% queue 72 because "
        + "some item has waited at least 3.2 s while 2.5 items/s complete: less than 500 ms apart, so the detector sleeps",
        Line(SampleReports.SilentlyStarved().InjectionDelays[0]));

    [Fact]
    public void Text_from_elsewhere_cannot_break_the_line()
    {
        var line = Line(SampleReports.GateCheck(1) with { Verdict = DelayVerdict.Late, Because = "a\nb\tc\u001b[31m  d" });
        Assert.EndsWith("because a b c[31m d", line, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', line);
    }

    [Fact]
    public void A_large_backlog_is_one_word() => Assert.EndsWith(
        " queue 1234567", Line(SampleReports.GateCheck(1) with { QueueLength = 1_234_567 }), StringComparison.Ordinal);

    [Fact]
    public void A_reason_of_a_later_runtime_shows_its_number() => Assert.Contains(
        " 12 goal ", Line(SampleReports.GateCheck(1) with { Reason = (AdjustmentReason)12 }), StringComparison.Ordinal);

    [Fact]
    public void A_finding_has_its_id_as_second_word()
    {
        var report = SampleReports.Starved();
        Assert.Equal(
            "2026-11-21T02:29:27.500Z TPW001 serious The pool added 25 threads, at most one per 500 ms, while work items waited.",
            new DecisionLineRenderer(TimeStyle.Utc).Finding(report.Findings[0], report));
    }

    static string Line(InjectionDelay delay, TimeStyle time = TimeStyle.Utc) =>
        new DecisionLineRenderer(time).Decision(delay, SampleReports.With(delay));
}
