using Tpwatch.Reports;

namespace Tpwatch.Items;

/// <summary>Counts durations by bucket while a slice of time lasts; used again for the next.</summary>
sealed class DurationCounter
{
    readonly long[] counts = new long[DurationBuckets.Count];
    int lowest = int.MaxValue;
    int highest = -1;
    long minNs = long.MaxValue;
    long maxNs;

    public long Count { get; private set; }

    public void Add(long nanoseconds)
    {
        var index = DurationBuckets.IndexOf(nanoseconds);
        counts[index]++;
        Count++;
        (lowest, highest) = (Math.Min(lowest, index), Math.Max(highest, index));
        (minNs, maxNs) = (Math.Min(minNs, Math.Max(0, nanoseconds)), Math.Max(maxNs, nanoseconds));
    }

    public DurationCounts Snapshot()
    {
        if (Count == 0)
        {
            return DurationCounts.None;
        }

        return new(Count, minNs, maxNs, DurationCounts.Filling(counts.AsSpan(lowest, highest - lowest + 1), lowest));
    }

    public void Clear()
    {
        if (Count > 0)
        {
            Array.Clear(counts, lowest, highest - lowest + 1);
        }

        (lowest, highest, minNs, maxNs, Count) = (int.MaxValue, -1, long.MaxValue, 0, 0);
    }
}
