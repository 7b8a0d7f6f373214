using FsCheck;
using FsCheck.Fluent;
using Tpwatch.Items;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Timeline.Items;

public sealed class DurationCountsTests
{
    [Fact]
    public void Every_duration_lies_in_its_bucket_and_no_bucket_is_wider_than_its_share()
    {
        for (long ns = 0; ns < 1L << 44; ns += 1 + ns / 37)
        {
            var index = DurationBuckets.IndexOf(ns);
            var (from, to) = (DurationBuckets.FromNs(index), DurationBuckets.FromNs(index + 1));
            Assert.True(from <= ns && ns < to, $"{ns} ns is not in bucket {index}: {from} to {to}");
            Assert.True(to - from <= Math.Max(1, from / 64.0), $"bucket {index} of {from} ns is {to - from} ns wide");
        }

        Assert.Equal(0, DurationBuckets.IndexOf(-5));
        Assert.Equal(DurationBuckets.Count - 1, DurationBuckets.IndexOf(long.MaxValue));
    }

    [Fact]
    public void Quantiles_are_within_one_per_cent_of_the_sorted_durations_and_the_ends_are_exact()
    {
        var durations = Gen.Choose(1, int.MaxValue).Select(n => (long)n * 40).NonEmptyListOf().ToArbitrary();
        Check.QuickThrowOnFailure(Prop.ForAll(durations, given =>
        {
            var (counts, sorted) = (Count(given), given.Order().ToArray());
            return counts.MaxNs == sorted[^1] && counts.MinNs == sorted[0] && counts.Count == sorted.Length
                && new[] { 0.5, 0.9, 0.99 }.All(q => Near(counts.QuantileMs(q), sorted[(int)Math.Ceiling(q * sorted.Length) - 1] / 1e6));
        }));
    }

    [Fact]
    public void Parts_add_up_to_the_whole_wherever_it_is_cut()
    {
        var whole = Count([.. Enumerable.Range(1, 1000).Select(n => n * 1_000_000L)]);
        var (below, above) = (whole.Below(400_000_000), whole.From(400_000_000));
        Assert.Equal(whole.Count, below.Count + above.Count);
        Assert.InRange(below.MaxNs, 390_000_000, 410_000_000);
        Assert.Equal(whole.MaxNs, above.MaxNs);
        Assert.Equal(whole.Filled, DurationCounts.Sum([below, above]).Filled);
        Assert.Same(DurationCounts.None, whole.Below(0));
    }

    static bool Near(double seen, double truth) => Math.Abs(seen - truth) <= truth * 0.01;

    static DurationCounts Count(IEnumerable<long> durations)
    {
        var counter = new DurationCounter();
        foreach (var ns in durations)
        {
            counter.Add(ns);
        }

        return counter.Snapshot();
    }
}
