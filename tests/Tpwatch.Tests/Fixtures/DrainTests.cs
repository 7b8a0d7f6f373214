using Tpwatch.Fixtures.Scenarios;

namespace Tpwatch.Tests.Fixtures;

public sealed class DrainTests
{
    // n·b/2k − b/2 for items that are all there at once.
    [Theory]
    [InlineData(2, 124_750)]
    [InlineData(10, 24_750)]
    [InlineData(200, 1_000)]
    [InlineData(1_000, 0)]
    public void Items_that_come_at_once_wait_for_half_of_those_before_them(int workers, double meanMs) =>
        Assert.Equal(meanMs, new Drain(1_000, EveryMs: 0, HoldMs: 500).MeanWaitMs(workers), 6);

    // With two workers: item i takes the one that item i − 2 leaves, so the odd ones run 10 ms behind the even ones. Their mean start is
    // 124,750 + 5 ms, the mean arrival 4,995. The others in the same way.
    [Theory]
    [InlineData(2, 119_760)]
    [InlineData(10, 19_800)]
    [InlineData(20, 7_350)]
    [InlineData(50, 0)]
    public void Arrivals_take_their_time_off_the_wait(int workers, double meanMs) =>
        Assert.Equal(meanMs, new Drain(1_000, EveryMs: 10, HoldMs: 500).MeanWaitMs(workers), 6);
}
