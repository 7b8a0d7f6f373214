namespace Tpwatch.Reports;

/// <summary>Number of durations in the bucket with this index (<see cref="DurationBuckets"/>).</summary>
readonly record struct BucketCount(ushort Index, long Count);

/// <summary>Number of durations in each non-empty bucket, and the exact minimum and maximum in nanoseconds.</summary>
sealed record DurationCounts(long Count, long MinNs, long MaxNs, ImmutableArray<BucketCount> Filled)
{
    /// <summary>No durations.</summary>
    public static DurationCounts None { get; } = new(0, long.MaxValue, 0, []);

    /// <summary>The sum of several counts.</summary>
    public static DurationCounts Sum(IEnumerable<DurationCounts> parts)
    {
        var counts = new long[DurationBuckets.Count];
        var (count, min, max) = (0L, long.MaxValue, 0L);
        foreach (var part in parts)
        {
            (count, min, max) = (count + part.Count, Math.Min(min, part.MinNs), Math.Max(max, part.MaxNs));
            foreach (var bucket in part.Filled)
            {
                counts[bucket.Index] += bucket.Count;
            }
        }

        return count == 0 ? None : new(count, min, max, Filling(counts, 0));
    }

    /// <summary>The durations in buckets that start at <paramref name="nanoseconds"/> or later.</summary>
    public DurationCounts From(long nanoseconds) => Where(b => DurationBuckets.FromNs(b.Index) >= nanoseconds);

    /// <summary>The durations in buckets that start before <paramref name="nanoseconds"/>.</summary>
    public DurationCounts Below(long nanoseconds) => Where(b => DurationBuckets.FromNs(b.Index) < nanoseconds);

    /// <summary>
    /// The quantile of <paramref name="share"/> (0 to 1), milliseconds: middle of the nearest rank's bucket, or the maximum.
    /// </summary>
    public double QuantileMs(double share)
    {
        var rank = Math.Clamp((long)Math.Ceiling(share * Count), 1, Math.Max(1, Count));
        if (rank == Count)
        {
            return MaxNs / 1e6;
        }

        long seen = 0;
        foreach (var bucket in Filled)
        {
            seen += bucket.Count;
            if (seen >= rank)
            {
                return MiddleMs(bucket.Index);
            }
        }

        return 0;
    }

    /// <summary>The middle of a bucket in milliseconds, limited to the range between the minimum and the maximum.</summary>
    public double MiddleMs(int bucket) =>
        Math.Clamp((DurationBuckets.FromNs(bucket) + DurationBuckets.FromNs(bucket + 1) - 1) / 2, MinNs, MaxNs) / 1e6;

    DurationCounts Where(Func<BucketCount, bool> wanted)
    {
        ImmutableArray<BucketCount> part = [.. Filled.Where(wanted)];
        return part.Length == Filled.Length ? this
            : part.IsEmpty ? None
            : new(
                part.Sum(b => b.Count), Math.Max(MinNs, DurationBuckets.FromNs(part[0].Index)),
                Math.Min(MaxNs, DurationBuckets.FromNs(part[^1].Index + 1) - 1), part);
    }

    /// <summary>The non-empty buckets of an array of counts whose first element belongs to bucket <paramref name="firstIndex"/>.</summary>
    public static ImmutableArray<BucketCount> Filling(ReadOnlySpan<long> counts, int firstIndex)
    {
        var filled = ImmutableArray.CreateBuilder<BucketCount>();
        for (var i = 0; i < counts.Length; i++)
        {
            if (counts[i] > 0)
            {
                filled.Add(new((ushort)(firstIndex + i), counts[i]));
            }
        }

        return filled.ToImmutable();
    }
}
