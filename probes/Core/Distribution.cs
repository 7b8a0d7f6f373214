namespace Tpwatch.Core;

/// <summary>The distribution of a duration, such as the queue time or the run time of work items; all durations in milliseconds.</summary>
/// <param name="Count">Number of measured items; exact.</param>
/// <param name="Unmatched">Number of items that were not measured, because their start or their end was not seen.</param>
/// <param name="P50Ms">Median: half of the items took this long or less.</param>
/// <param name="P90Ms">90th percentile: nine of ten items took this long or less.</param>
/// <param name="P99Ms">99th percentile: 99 of 100 items took this long or less.</param>
/// <param name="P999Ms">99.9th percentile: 999 of 1,000 items took this long or less.</param>
/// <param name="MaxMs">The longest duration.</param>
/// <param name="Buckets">The non-empty buckets, shortest durations first; their counts add up to <paramref name="Count"/>.</param>
public sealed record Distribution(
    long Count, long Unmatched, double P50Ms, double P90Ms, double P99Ms,
    double P999Ms, double MaxMs, ImmutableArray<DistributionBucket> Buckets)
{
    /// <summary>95th percentile: 19 of 20 items took this long or less, milliseconds.</summary>
    public double P95Ms { get; init; }

    /// <summary>
    /// Number of items that were still queued (queue time) or still running (run time) at the last observation. The quantiles include these
    /// items with their duration so far (Kaplan-Meier estimate). <see cref="Count"/> and <see cref="Buckets"/> do not include them.
    /// </summary>
    public long Unfinished { get; init; }

    /// <summary>The figures that are only lower bounds, because too many items are unfinished.</summary>
    public LowerBounds AtLeast { get; init; }

    /// <summary>Whether there is any item, measured or unfinished.</summary>
    public bool IsKnown => Counted > 0;

    /// <summary>Number of items that the quantiles include, measured or unfinished.</summary>
    internal long Counted => Count + Unfinished;

    /// <summary>Median: half of the items took this long or less.</summary>
    public TimeSpan P50 => TimeSpan.FromMilliseconds(P50Ms);

    /// <summary>99th percentile: 99 of 100 items took this long or less.</summary>
    public TimeSpan P99 => TimeSpan.FromMilliseconds(P99Ms);

    /// <summary>The longest duration.</summary>
    public TimeSpan Max => TimeSpan.FromMilliseconds(MaxMs);

    /// <summary>Whether there are enough items to compute <paramref name="quantile"/>, such as 100 for the 99th percentile.</summary>
    internal bool HasEnoughFor(LowerBounds quantile) => Counted >= quantile switch
    {
        LowerBounds.P50 => 2,
        LowerBounds.P90 => 10,
        LowerBounds.P95 => 20,
        LowerBounds.P99 => 100,
        LowerBounds.P999 => 1000,
        _ => 1,
    };
}

/// <summary>The figures of a distribution that are only lower bounds.</summary>
[Flags]
public enum LowerBounds
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary><see cref="Distribution.P50Ms"/>.</summary>
    P50 = 1,

    /// <summary><see cref="Distribution.P90Ms"/>.</summary>
    P90 = 2,

    /// <summary><see cref="Distribution.P95Ms"/>.</summary>
    P95 = 4,

    /// <summary><see cref="Distribution.P99Ms"/>.</summary>
    P99 = 8,

    /// <summary><see cref="Distribution.P999Ms"/>.</summary>
    P999 = 16,

    /// <summary><see cref="Distribution.MaxMs"/>.</summary>
    Max = 32,
}

/// <summary>Number of items that took <paramref name="FromMs"/> milliseconds or more, and less than <paramref name="ToMs"/>.</summary>
public readonly record struct DistributionBucket(double FromMs, double ToMs, long Count);
