using Tpwatch.Reports;
using Tpwatch.Text;

namespace Tpwatch.Tests.Render.Text;

/// <summary>What the checks before the last one are told by.</summary>
public sealed class DelayFieldsTests
{
    [Theory]
    [InlineData(": should have added a thread and did not", ". This check should have added a thread and did not")]
    [InlineData(", but items completed then, so one was dequeued meanwhile", ". But items completed then, so one was dequeued meanwhile")]
    [InlineData(" unless an item was dequeued meanwhile", " unless an item was dequeued meanwhile")]
    public void A_check_of_which_more_is_said_is_told_in_full(string more, string told) => Assert.Equal(
        $"check 1: 812 ms since the last dequeue, more than 500 ms{told}. Check 2: 500 ms since the last dequeue, not more than 500 ms",
        Told(Check(812, "812ms since dequeue, >500" + more), Check(500)));

    [Theory]
    [InlineData("504ms since dequeue, >500 (borderline)")]
    [InlineData("504ms since dequeue, not >500 (borderline)")]
    [InlineData("504ms since dequeue, >500 with busy processors (borderline)")]
    public void A_check_too_near_the_limit_does_not_tell_on_which_side_it_was(string why) => Assert.Equal(
        "check 1: 504 ms since the last dequeue. This time is too close to 500 ms for tpwatch to be certain. "
            + "Check 2: 500 ms since the last dequeue, not more than 500 ms",
        Told(Check(504, why), Check(500)));

    [Fact]
    public void Of_many_checks_some_are_counted() => Assert.EndsWith(
        "too close to 500 ms for tpwatch to be certain. 1 more check. Check 5: 500 ms since the last dequeue, not more than 500 ms",
        Told([.. Enumerable.Range(0, 4).Select(i => Check(812, "812ms since dequeue, >500 (borderline)")), Check(500)]),
        StringComparison.Ordinal);

    [Fact]
    public void Of_checks_that_only_read_a_time_the_times_are_told()
    {
        Assert.Equal("time since the last dequeue at the first check: 500 ms", Told(Check(500)));
        Assert.Equal("time since the last dequeue at the first 3 checks: 500 ms, 497 ms (not certain) and 12 ms",
            Told(Check(500), Check(497) with { Sure = false }, Check(12)));
        Assert.Equal("time since the last dispatch at the first check: 500 ms",
            Told(Check(500, "500ms since dispatch, not >500") with { IsByDispatch = true }));
        Assert.Equal("time since the last dequeue at the first check: 812 ms",
            Told(Check(812, "812ms since dequeue, not >4000 with busy processors")));
    }

    [Fact]
    public void Of_more_than_a_handful_the_range_is_told()
    {
        GateCheck[] checks = [.. Enumerable.Range(0, 7).Select(i => Check(490 + i))];
        Assert.Equal("time since the last dequeue at the first 7 checks: 490 ms to 496 ms", Told(checks));
        Assert.Equal("time since the last dequeue at the first 7 checks: 490 ms to 496 ms (some not certain)",
            Told([.. checks[..6], checks[6] with { Sure = false }]));
    }

    static string? Told(params GateCheck[] checks) =>
        DelayFields.UntoldChecks(SampleReports.GateCheck(1) with { Ticks = [.. checks, SampleReports.Fired(9)] });

    static GateCheck Check(int ms, string? why = null) =>
        SampleReports.Quiet(1) with { SinceDequeueMs = ms, Why = why ?? $"{ms}ms since dequeue, not >500" };
}
