using Tpwatch.Reports;

namespace Tpwatch.Items;

/// <summary>Converts counted durations to the reported distribution.</summary>
static class Distributions
{
    /// <summary>Number of counting buckets in one reported bucket, which gives four reported buckets per octave.</summary>
    const int Together = 16;

    /// <param name="counts">Durations that are complete.</param>
    /// <param name="unmatched">Items of which only the start or the end was seen.</param>
    /// <param name="open">Durations that are not complete yet.</param>
    public static Distribution Of(DurationCounts counts, long unmatched, OpenDurations? open = null)
    {
        var known = new DurationsSoFar(counts, open ?? OpenDurations.None);
        var (p50, p90, p95) = (known.Next(0.5, LowerBounds.P50), known.Next(0.9, LowerBounds.P90), known.Next(0.95, LowerBounds.P95));
        var (p99, p999) = (known.Next(0.99, LowerBounds.P99), known.Next(0.999, LowerBounds.P999));
        return new(counts.Count, unmatched, p50, p90, p99, p999, known.Longest(),
            [.. counts.Filled.GroupBy(b => b.Index / Together).Select(Bucket)])
        {
            P95Ms = p95,
            Unfinished = known.Unfinished,
            AtLeast = known.AtLeast,
        };
    }

    static DistributionBucket Bucket(IGrouping<int, BucketCount> group) => new(
        DurationBuckets.FromNs(group.Key * Together) / 1e6,
        DurationBuckets.FromNs((group.Key + 1) * Together) / 1e6, group.Sum(b => b.Count));
}
