using Tpwatch.Reports;
using Tpwatch.Scoring.Models;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Stored;

/// <summary>The windows are worth something: with a wrong number in the model, or the wrong rule, the same streams do not fit.</summary>
public sealed class WrongModelTests
{
    static readonly ToldSettings Truth = new(Processors: 8, Min: 8);

    [Fact]
    public async Task With_the_right_numbers_all_but_a_twentieth_of_the_steps_fit()
    {
        var (fits, steps) = await StepsAsync(Truth);
        Assert.True(steps >= 60, $"only {steps} steps");
        Assert.True(fits >= 0.95 * steps, $"{fits} of {steps}");
    }

    [Theory]
    [InlineData(2, 8)]
    [InlineData(4, 8)]
    [InlineData(16, 8)]
    // Half a set of processors too few (4 here) would leave exactly half of the delays as they are.
    [InlineData(8, 3)]
    [InlineData(8, 16)]
    [InlineData(8, 24)]
    public async Task With_a_wrong_processor_count_or_min_less_than_half_of_the_steps_fit(int processors, int min)
    {
        var (fits, steps) = await StepsAsync(new(processors, min));
        TestContext.Current.TestOutputHelper?.WriteLine($"{processors} processors, min {min}: {fits} fit of {steps}");
        Assert.True(2 * fits < steps, $"{fits} fit of {steps}");
    }

    [Theory]
    [InlineData("sync-over-async", AdjustmentReason.CooperativeBlocking)]
    [InlineData("pool-burst", AdjustmentReason.Starvation)]
    public async Task Judged_as_its_own_kind_of_blocking_a_stream_fits_and_as_the_other_it_does_not(string name, AdjustmentReason reason)
    {
        var (own, other) = await WrongModel.KindsAsync(TestRecordings.File(name), Truth, reason);

        Assert.True(own.Part >= 0.95 * own.Of, $"{own.Part} fit of {own.Of} timed");
        TestContext.Current.TestOutputHelper?.WriteLine($"{name}: {own.Part} of {own.Of}; as the other kind {other.Part}");
        Assert.True(2 * other.Part < own.Of, $"{other.Part} fit as the other kind, {own.Of} are timed as their own");
    }

    static Task<Share> StepsAsync(ToldSettings told) => WrongModel.StepsAsync(TestRecordings.File("sync-over-async"), Truth, told);
}
