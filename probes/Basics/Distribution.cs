using System.Collections.Immutable;

namespace Tpwatch.Basics;

/// <summary>How a duration of work items is distributed: queue delay or run time; all durations in milliseconds.</summary>
/// <param name="Count">Items measured; exact.</param>
/// <param name="Unmatched">Items of which only one end was seen, so that nothing was measured.</param>
/// <param name="P50Ms">Half of the items took at most so long.</param>
/// <param name="P90Ms">Nine of ten items took at most so long.</param>
/// <param name="P99Ms">99 of 100 items took at most so long.</param>
/// <param name="P999Ms">999 of 1,000 items took at most so long.</param>
/// <param name="MaxMs">The longest.</param>
/// <param name="Buckets">Counts by duration, shortest first, empty ones left out; their sum is <paramref name="Count"/>.</param>
public sealed record Distribution(
    long Count, long Unmatched, double P50Ms, double P90Ms, double P99Ms, double P999Ms, double MaxMs, ImmutableArray<DistributionBucket> Buckets)
{
    /// <summary>19 of 20 items took at most so long.</summary>
    public double P95Ms { get; init; }

    /// <summary>Half of the items took at most so long.</summary>
    public TimeSpan P50 => TimeSpan.FromMilliseconds(P50Ms);

    /// <summary>99 of 100 items took at most so long.</summary>
    public TimeSpan P99 => TimeSpan.FromMilliseconds(P99Ms);

    /// <summary>The longest.</summary>
    public TimeSpan Max => TimeSpan.FromMilliseconds(MaxMs);
}

/// <summary>Items whose duration is at least <paramref name="FromMs"/> and below <paramref name="ToMs"/>, milliseconds.</summary>
public readonly record struct DistributionBucket(double FromMs, double ToMs, long Count);
