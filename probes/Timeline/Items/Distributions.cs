using Tpwatch.Basics;
using Tpwatch.Reports.Items;

namespace Tpwatch.Timeline.Items;

/// <summary>From what was counted to what is reported.</summary>
static class Distributions
{
    /// <summary>Sixteen of the counting buckets become one of the reported: four an octave.</summary>
    const int Together = 16;

    public static Distribution Of(DurationCounts counts, long unmatched) => new(
        counts.Count, unmatched, Quantile(counts, 0.5), Quantile(counts, 0.9), Quantile(counts, 0.99), Quantile(counts, 0.999), counts.MaxNs / 1e6,
        [.. counts.Filled.GroupBy(b => b.Index / Together).Select(Bucket)])
    {
        P95Ms = Quantile(counts, 0.95),
    };

    static double Quantile(DurationCounts counts, double share) => counts.Count == 0 ? 0 : counts.QuantileMs(share);

    static DistributionBucket Bucket(IGrouping<int, BucketCount> group) => new(
        DurationBuckets.FromNs(group.Key * Together) / 1e6, DurationBuckets.FromNs((group.Key + 1) * Together) / 1e6, group.Sum(b => b.Count));
}
