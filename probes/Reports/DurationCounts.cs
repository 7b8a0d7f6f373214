namespace Tpwatch.Reports;

/// <summary>So many durations fell into the bucket of that index (<see cref="DurationBuckets"/>).</summary>
readonly record struct BucketCount(ushort Index, long Count);

/// <summary>Durations by bucket, empty ones left out; shortest and longest exactly, nanoseconds.</summary>
sealed record DurationCounts(long Count, long MinNs, long MaxNs, ImmutableArray<BucketCount> Filled)
{
    /// <summary>Nothing was measured.</summary>
    public static DurationCounts None { get; } = new(0, long.MaxValue, 0, []);

    /// <summary>All of them together.</summary>
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

    /// <summary>Those of buckets that begin at a duration or later, nanoseconds.</summary>
    public DurationCounts From(long nanoseconds) => Where(b => DurationBuckets.FromNs(b.Index) >= nanoseconds);

    /// <summary>The others.</summary>
    public DurationCounts Below(long nanoseconds) => Where(b => DurationBuckets.FromNs(b.Index) < nanoseconds);

    /// <summary>
    /// That share of the durations, 0 to 1, is at most so long, milliseconds: the middle of the bucket of the nearest rank.
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

    /// <summary>The middle of a bucket, as far as it lies between the shortest and the longest, milliseconds.</summary>
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

    /// <summary>The buckets of a row that hold something; the row begins with the bucket of that index.</summary>
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
