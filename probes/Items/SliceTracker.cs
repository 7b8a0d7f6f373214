using Tpwatch.Reports;

namespace Tpwatch.Items;

/// <summary>
/// Counts queue time and run time in slices of one second. When there are too many slices, pairs of slices are merged, so that a day needs
/// as much memory as ten minutes and no count is lost.
/// </summary>
sealed class SliceTracker
{
    /// <summary>Maximum number of slices: as many as a report has points.</summary>
    const int Most = 600;

    const long Second = 1_000_000_000;

    readonly List<ItemSlice> closed = [];
    readonly DurationCounter delay = new();
    readonly DurationCounter run = new();
    long widthNs = Second;
    long origin;
    long current = -1;

    public void Waited(EventTime at, long nanoseconds)
    {
        AdvanceTo(at);
        delay.Add(nanoseconds);
    }

    public void Ran(EventTime at, long nanoseconds)
    {
        AdvanceTo(at);
        run.Add(nanoseconds);
    }

    public ImmutableArray<ItemSlice> Snapshot() => delay.Count + run.Count == 0 ? [.. closed] : [.. closed, Open()];

    void AdvanceTo(EventTime at)
    {
        if (current < 0)
        {
            (origin, current) = (at.Nanoseconds, 0);
        }

        var slice = (at.Nanoseconds - origin) / widthNs;
        if (slice > current)
        {
            Close();
            current = (at.Nanoseconds - origin) / widthNs;
        }
    }

    void Close()
    {
        if (delay.Count + run.Count > 0)
        {
            closed.Add(Open());
            delay.Clear();
            run.Clear();
        }

        if (closed.Count >= Most)
        {
            widthNs *= 2;
            ImmutableArray<ItemSlice> wider =
            [
                .. closed.GroupBy(s => (s.Span.From.Nanoseconds - origin) / widthNs).Select(g => Wider(g.Key, [.. g])),
            ];
            closed.Clear();
            closed.AddRange(wider);
        }
    }

    ItemSlice Open() => new(SpanOf(current), delay.Snapshot(), run.Snapshot());

    ItemSlice Wider(long index, ItemSlice[] parts) =>
        new(SpanOf(index), DurationCounts.Sum(parts.Select(p => p.Delay)), DurationCounts.Sum(parts.Select(p => p.Run)));

    EventSpan SpanOf(long index) => new(new(origin + index * widthNs), new(origin + (index + 1) * widthNs));
}

/// <summary>Counts durations by bucket during one slice of time; reused for the next slice.</summary>
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
