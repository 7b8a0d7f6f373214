namespace Tpwatch.Core;

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
    long Count, long Unmatched, double P50Ms, double P90Ms, double P99Ms,
    double P999Ms, double MaxMs, ImmutableArray<DistributionBucket> Buckets)
{
    /// <summary>19 of 20 items took at most so long.</summary>
    public double P95Ms { get; init; }

    /// <summary>
    /// Items that had not been taken, or had not ended, when last looked at. Every quantile counts them with what they had behind them
    /// by then, by the product-limit estimate; <see cref="Count"/> and <see cref="Buckets"/> do not.
    /// </summary>
    public long Unfinished { get; init; }

    /// <summary>The quantiles of which no more is known than "at least so long", since too many items are unfinished.</summary>
    public LowerBounds AtLeast { get; init; }

    /// <summary>Whether it says anything.</summary>
    public bool IsKnown => Count + Unfinished > 0;

    /// <summary>Items that the quantiles count.</summary>
    internal long Counted => Count + Unfinished;

    /// <summary>Half of the items took at most so long.</summary>
    public TimeSpan P50 => TimeSpan.FromMilliseconds(P50Ms);

    /// <summary>99 of 100 items took at most so long.</summary>
    public TimeSpan P99 => TimeSpan.FromMilliseconds(P99Ms);

    /// <summary>The longest.</summary>
    public TimeSpan Max => TimeSpan.FromMilliseconds(MaxMs);

    /// <summary>Whether there are items enough for a quantile: the 99th percentile of ten would be the longest by another name.</summary>
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

/// <summary>Figures of a distribution that are lower bounds.</summary>
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

/// <summary>Items whose duration is at least <paramref name="FromMs"/> and below <paramref name="ToMs"/>, milliseconds.</summary>
public readonly record struct DistributionBucket(double FromMs, double ToMs, long Count);
