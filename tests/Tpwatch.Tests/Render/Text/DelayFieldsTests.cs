using Tpwatch.Core;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Text;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Render.Text;

/// <summary>What the checks before the last one are told by.</summary>
public sealed class DelayFieldsTests
{
    [Theory]
    [InlineData(true, null, ". This check should have added a thread and did not")]
    [InlineData(false, 5L, ". But items completed then, so one was dequeued meanwhile")]
    [InlineData(false, 0L, ". The pool may have read a slightly shorter time")]
    [InlineData(false, null, " unless an item was dequeued meanwhile")]
    public void A_check_of_which_more_is_said_is_told_in_full(bool certain, long? completed, string told) => Assert.Equal(
        $"check 1: 812 ms since the last dequeue, more than 500 ms{told}. Check 2: 500 ms since the last dequeue, not more than 500 ms",
        Told(Check(Read(812) with { Certainty = certain ? Certainty.Certain : Certainty.Expected }, completed), Check(Read(500))));

    [Theory]
    [InlineData(true, Mechanism.G1GateTick)]
    [InlineData(false, Mechanism.G1GateTick)]
    [InlineData(true, Mechanism.G2CpuThrottle)]
    public void A_check_too_near_the_limit_does_not_tell_on_which_side_it_was(bool adds, Mechanism mechanism) => Assert.Equal(
        "check 1, not certain: 504 ms since the last dequeue. This time is too close to 500 ms for tpwatch to be certain. "
            + "Check 2: 500 ms since the last dequeue, not more than 500 ms",
        Told(
            Check(new Decision(adds ? DecisionKind.Add : DecisionKind.Hold, mechanism)
            {
                SinceDequeueMs = 504, NeedMs = 500, Certainty = Certainty.Borderline,
            }, completed: 0),
            Check(Read(500))));

    [Fact]
    public void Of_many_checks_some_are_counted() => Assert.EndsWith(
        "too close to 500 ms for tpwatch to be certain. 1 more check. Check 5: 500 ms since the last dequeue, not more than 500 ms",
        Told([
            .. Enumerable.Range(0, 4).Select(i => Check(Read(812) with { Certainty = Certainty.Borderline }, completed: 0)),
            Check(Read(500)),
        ]),
        StringComparison.Ordinal);

    [Fact]
    public void Of_checks_that_only_read_a_time_the_times_are_told()
    {
        Assert.Equal("time since the last dequeue at the first check: 500 ms", Told(Check(Read(500))));
        Assert.Equal("time since the last dequeue at the first 3 checks: 500 ms, 497 ms and 12 ms",
            Told(Check(Read(500)), Check(Read(497)), Check(Read(12))));
        Assert.Equal("time since the last dispatch at the first check: 500 ms",
            Told(Check(Read(500) with { ByDispatch = true }) with { IsByDispatch = true }));
        Assert.Equal("time since the last dequeue at the first check: 812 ms",
            Told(Check(Read(812) with { Kind = DecisionKind.Hold, Mechanism = Mechanism.G2CpuThrottle, NeedMs = 4000 })));
    }

    [Fact]
    public void Of_more_than_a_handful_the_range_is_told()
    {
        GateCheck[] checks = [.. Enumerable.Range(0, 7).Select(i => Check(Read(490 + i)))];
        Assert.Equal("time since the last dequeue at the first 7 checks: 490 ms to 496 ms", Told(checks));
    }

    [Fact]
    public void A_check_of_which_the_sentence_tells_is_not_told_again() => Assert.Equal(
        "time since the last dequeue at the first check: 500 ms", Told(Check(Read(500)), Check(Read(501)) with { IsTold = true }));

    static string? Told(params GateCheck[] checks) =>
        DelayFields.UntoldChecks(SampleReports.GateCheck(1) with { Ticks = [.. checks, SampleReports.Fired(9)] });

    static Decision Read(double ms) => new(ms > 500 ? DecisionKind.Add : DecisionKind.Hold, Mechanism.G1GateTick)
    {
        SinceDequeueMs = ms, NeedMs = 500,
    };

    static GateCheck Check(Decision decision, long? completed = null)
    {
        CounterSampleLog samples = new();
        for (var second = 0; second < (completed is null ? 0 : 4); second++)
        {
            samples.Add(new(At(second), second == 0 ? null : 1000, 8, 40, second == 0 ? null : completed, 0.05));
        }

        var (why, spoken) = GateCheckSentence.Of(
            decision, StarvationDelayJudge.RemarkOf(decision, false, At(2.5), samples), samples.CpuAt(At(2.5)) is not null);
        return new(At(2.5), decision.SinceDequeueMs, null, false, why, decision.IsSure, Basis.Inferred)
        {
            Spoken = spoken, IsReading = GateCheckSentence.IsReading(decision, fired: false),
        };
    }

    static EventTime At(double seconds) => new EventTime(7_000_000_000).PlusMs(seconds * 1000);
}
