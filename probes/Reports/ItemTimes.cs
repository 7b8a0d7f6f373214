using System.Numerics;

namespace Tpwatch.Reports;

/// <summary>Measurements of single items in addition to the queue times and run times of <see cref="PoolEvidence"/>.</summary>
public sealed record ItemTimes
{
    /// <summary>Queue time of the items that waited only outside starvation; null if there were none.</summary>
    public Distribution? HealthyDelay { get; init; }

    /// <summary>Queue time of the items that waited at any time during starvation; null if there were none.</summary>
    public Distribution? StarvedDelay { get; init; }

    /// <summary>Run time of the items completed outside starvation; null if there were none.</summary>
    public Distribution? HealthyRun { get; init; }

    /// <summary>Run time of the items completed during starvation; null if there were none.</summary>
    public Distribution? StarvedRun { get; init; }

    /// <summary>Queue time in intervals of a second (or longer), oldest first; intervals without a dequeued item are left out.</summary>
    public required ImmutableArray<DelayPoint> OverTime { get; init; }

    /// <summary>The items with the longest queue times, longest first.</summary>
    public required ImmutableArray<SlowItem> Slowest { get; init; }

    /// <summary>Number of items still queued at the end; these items count neither as measured nor as unmatched.</summary>
    public required int Waiting { get; init; }

    /// <summary>Queue time so far of the oldest item still queued, milliseconds; null if no items or too many items are queued.</summary>
    public double? OldestWaitMs { get; init; }

    /// <summary>The time during which items were watched.</summary>
    public required EventSpan Watched { get; init; }
}

/// <summary>Queue time of the items dequeued in a time span, milliseconds.</summary>
public readonly record struct DelayPoint(EventSpan Span, long Count, double P50Ms, double P99Ms, double MaxMs);

/// <summary>An item with a long queue time.</summary>
/// <param name="Queued">When the item was queued.</param>
/// <param name="WaitMs">Queue time, milliseconds.</param>
/// <param name="RunMs">Run time, milliseconds; null while the item runs.</param>
/// <param name="ThreadId">OS id of the worker thread.</param>
/// <param name="Id">The runtime's hash of the item; the events carry no name.</param>
/// <param name="FreedBy">Number of the injection delay that ended with the injection of this thread; null if none is known.</param>
/// <param name="Reason">Reason of that injection; null if no such injection is known.</param>
public sealed record SlowItem(EventTime Queued, double WaitMs, double? RunMs, int ThreadId, long Id, int? FreedBy, AdjustmentReason? Reason)
{
    internal static SlowItem Of(in MeasuredItem item, ImmutableArray<InjectionDelay> delays)
    {
        var taken = item.Taken;
        var freed = item.ByNewWorker ? delays.LastOrDefault(g =>
            g.Reason is not null && g.TargetThreadsAfter > g.TargetThreadsBefore && g.End <= taken && taken.MsSince(g.End) <= CreationMs)
                : null;
        return new(item.Queued, item.WaitMs, item.Ended?.MsSince(item.Taken), item.ThreadId, item.Id, freed?.Number, freed?.Reason);
    }

    /// <summary>Maximum time from an injection to the new worker thread's first item, milliseconds (1 ms on a quiet machine).</summary>
    const double CreationMs = 100;
}

/// <summary>A work item whose queueing and dequeueing were both seen.</summary>
/// <param name="Queued">When the item was queued.</param>
/// <param name="Taken">When a worker thread dequeued the item.</param>
/// <param name="Ended">When the item completed; null while the item runs, or if its end was not seen.</param>
/// <param name="ThreadId">OS id of the worker thread.</param>
/// <param name="Id">The runtime's hash of the item.</param>
/// <param name="ByNewWorker">Whether the item was the first item of a new worker thread.</param>
readonly record struct MeasuredItem(EventTime Queued, EventTime Taken, EventTime? Ended, int ThreadId, long Id, bool ByNewWorker)
{
    public double WaitMs => Math.Max(0, Taken.MsSince(Queued));
}

/// <summary>The observations of single work items up to one moment; immutable.</summary>
sealed record ItemSnapshot
{
    public required ImmutableArray<SliceDurations> Slices { get; init; }

    /// <summary>Number of items whose enqueue or dequeue was not seen: queued before the session, run inline, or events lost.</summary>
    public required long Unmatched { get; init; }

    /// <summary>Number of dequeued items whose end was not seen.</summary>
    public required long EndUnseen { get; init; }

    public required int Waiting { get; init; }

    /// <summary>
    /// Whether <see cref="Waiting"/> includes all queued items: the queue was empty once, and the enqueue of every later item was seen.
    /// </summary>
    public required bool KnowsWaiting { get; init; }

    /// <summary>When the oldest item still queued was queued; null if no items or too many items are queued.</summary>
    public EventTime? OldestWaiting => WaitingSince is [var oldest, ..] ? oldest : null;

    /// <summary>The items with the longest queue times, longest first.</summary>
    public required ImmutableArray<MeasuredItem> Slowest { get; init; }

    /// <summary>The first items that completed, in order of completion; see <see cref="KeptAll"/>.</summary>
    public required ReadOnlyMemory<MeasuredItem> Ended { get; init; }

    public required ImmutableArray<MeasuredItem> Running { get; init; }

    /// <summary>When the queued items were queued, oldest first; empty if too many items are queued.</summary>
    public required ImmutableArray<EventTime> WaitingSince { get; init; }

    /// <summary>Whether <see cref="Ended"/>, <see cref="Running"/> and <see cref="WaitingSince"/> contain all items.</summary>
    public required bool KeptAll { get; init; }

    /// <summary>First and last time at which item events were received.</summary>
    public required EventSpan Listened { get; init; }
}

/// <summary>Queue times of the items dequeued, and run times of the items completed, in one slice of event time.</summary>
sealed record SliceDurations(EventSpan Span, DurationCounts Delay, DurationCounts Run);

/// <summary>Number of durations in the bucket with this index (<see cref="DurationBuckets"/>).</summary>
readonly record struct BucketCount(ushort Index, long Count);

/// <summary>Number of durations in each non-empty bucket, and the exact minimum and maximum in nanoseconds.</summary>
sealed record DurationCounts(long Count, long MinNs, long MaxNs, ImmutableArray<BucketCount> Filled)
{
    public static DurationCounts None { get; } = new(0, long.MaxValue, 0, []);

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

    /// <summary>The durations in buckets whose shortest duration is <paramref name="nanoseconds"/> or more.</summary>
    public DurationCounts From(long nanoseconds) => Where(b => DurationBuckets.FromNs(b.Index) >= nanoseconds);

    /// <summary>The durations in buckets whose shortest duration is less than <paramref name="nanoseconds"/>.</summary>
    public DurationCounts Below(long nanoseconds) => Where(b => DurationBuckets.FromNs(b.Index) < nanoseconds);

    /// <summary>Returns a quantile, milliseconds (0.5: median): the middle of its bucket, or the maximum for the last duration.</summary>
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

/// <summary>
/// Maps durations to buckets, 64 per octave. A bucket is at most 1.6 % wide, so its middle differs from a duration by at most 0.8 %.
/// Durations below 64 ns have one bucket per nanosecond. The last bucket holds all durations above 19.4 hours.
/// </summary>
static class DurationBuckets
{
    const int Bits = 6;
    const int AnOctave = 1 << Bits;
    const int LargestShift = 39;

    public const int Count = (LargestShift + 2) * AnOctave;

    /// <summary>
    /// The bucket of a duration in nanoseconds. A negative duration, from the clocks of two processors, belongs to the first bucket.
    /// </summary>
    public static int IndexOf(long nanoseconds)
    {
        if (nanoseconds < AnOctave)
        {
            return (int)Math.Max(0, nanoseconds);
        }

        var shift = BitOperations.Log2((ulong)nanoseconds) - Bits;
        return shift > LargestShift ? Count - 1 : shift * AnOctave + (int)(nanoseconds >> shift);
    }

    /// <summary>Shortest duration of a bucket, nanoseconds; the bucket ends before the shortest duration of the next one.</summary>
    public static long FromNs(int index)
    {
        var shift = Math.Max(0, index / AnOctave - 1);
        return (long)(index - shift * AnOctave) << shift;
    }
}
