using System.Collections.Immutable;
using Tpwatch.Stacks;
using Tpwatch.Tests.Stacks.Holders;

namespace Tpwatch.Tests.Stacks;

/// <summary>A starved service has a worker more every second, however long it takes; bursts of them must not fill our memory.</summary>
public sealed class StacksSeenTests
{
    [Fact]
    public void Of_many_threads_only_the_newest_bursts_are_kept()
    {
        var seen = Enumerable.Range(1, 20).Aggregate(StacksSeen.None, (s, i) => s.With(new(Burst(i * 5000, threads: 1500), null)));
        Assert.Equal(6, seen.Bursts.Length);
        Assert.Equal(Render.SampleReports.At(100_000), seen.Bursts[^1].At);
    }

    [Fact]
    public void The_newest_burst_is_kept_whole_and_of_few_threads_all_are()
    {
        Assert.Equal(20_000, Assert.Single(StacksSeen.None.With(new(Burst(1, threads: 20_000), null)).Bursts).Stacks.Length);
        var few = Enumerable.Range(1, 100).Aggregate(StacksSeen.None, (s, i) => s.With(new(Burst(i * 5000, threads: 10), null)));
        Assert.Equal(100, few.Bursts.Length);
    }

    [Fact]
    public void Stacks_that_read_the_same_are_kept_once()
    {
        var packed = BurstPacking.Pack(StacksSeen.None.With(new(Burst(1, threads: 3), null)));
        var stacks = BurstPacking.Unpack(packed)!.Bursts.Single().Stacks;
        Assert.Equal(3, stacks.Length);
        Assert.All(stacks, s => Assert.True(s.Frames == stacks[0].Frames, "an array of its own"));
        var (shared, one, other) = (new SharedFrames(), ImmutableArray.Create("a", "b"), ImmutableArray.Create("a", "c"));
        Assert.True(shared.Of(one) == one && shared.Of(["a", "b"]) == one && shared.Of(other) == other);
    }

    static BurstSamples Burst(double ms, int threads) =>
        Sampled.Burst(ms, [.. Enumerable.Range(1, threads).Select(t => Sampled.At(t, Sampled.Lock))]);
}
