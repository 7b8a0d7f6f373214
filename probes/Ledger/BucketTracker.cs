using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Fills the lanes: one bucket every 50 ms of event time, the newest fifteen minutes; what is older is folded to seconds. Chunks are copied
/// before a write once a snapshot holds them.
/// </summary>
sealed class BucketTracker
{
    const int MaxChunks = BucketSeries.Capacity / BucketSeries.ChunkLength + 1;
    const int MaxCoarse = (BucketSeries.WholeCapacity - BucketSeries.Capacity) / BucketSeries.ChunkLength;

    readonly List<Bucket[]> chunks = [];
    readonly List<bool> shared = [];
    ImmutableList<Bucket[]> coarse = [];
    EventTime origin;
    long firstIndex;
    long endIndex;

    Bucket open = Bucket.Unknown;
    int workersNow = -1;

    public void Open(EventTime start) => origin = start;

    /// <summary>Extends the lanes to <paramref name="at"/> with the values that hold since the last change.</summary>
    public void AdvanceTo(EventTime at)
    {
        var wanted = IndexOf(at) + 1;
        if (wanted - endIndex > BucketSeries.WholeCapacity)
        {
            Restart((wanted - BucketSeries.WholeCapacity) / BucketSeries.ChunkLength * BucketSeries.ChunkLength);
        }

        while (endIndex < wanted)
        {
            open = Bucket.Unknown with { WorkersMin = workersNow, WorkersMax = workersNow, Goal = open.Goal, Backlog = open.Backlog };
            Append(open);
        }
    }

    public void Workers(int count)
    {
        var known = open.WorkersMin >= 0;
        workersNow = count;
        Write(open with
        {
            WorkersMin = known ? Math.Min(open.WorkersMin, count) : count,
            WorkersMax = known ? Math.Max(open.WorkersMax, count) : count,
        });
    }

    public void Goal(int goal) => Write(open with { Goal = goal });

    public void Backlog(long backlog) => Write(open with { Backlog = backlog });

    /// <summary>Rates and shares of a heartbeat cover the time before it.</summary>
    public void CoverBack(EventTime from, EventTime to, float completedPerSecond, float cpu)
    {
        for (var index = Math.Max(firstIndex, IndexOf(from)); index < endIndex && index <= IndexOf(to); index++)
        {
            var chunk = Writable(index);
            ref var bucket = ref chunk[Offset(index)];
            bucket = bucket with { CompletedPerSecond = completedPerSecond, Cpu = cpu };
        }

        open = open with { CompletedPerSecond = completedPerSecond, Cpu = cpu };
    }

    public void MarkLost(EventTime from, EventTime to)
    {
        for (var index = Math.Max(firstIndex, IndexOf(from)); index < endIndex && index <= IndexOf(to); index++)
        {
            ref var bucket = ref Writable(index)[Offset(index)];
            bucket = bucket with { Lost = true };
        }

        open = open with { Lost = true };
    }

    public BucketSeries Snapshot()
    {
        for (var i = 0; i < shared.Count; i++)
        {
            shared[i] = true;
        }

        var tail = chunks.Count == 0 ? 0 : (int)(endIndex - firstIndex - (chunks.Count - 1) * (long)BucketSeries.ChunkLength);
        return new BucketSeries(origin, coarse, firstIndex, [.. chunks], tail);
    }

    void Write(Bucket bucket)
    {
        open = bucket;
        if (endIndex > firstIndex)
        {
            Writable(endIndex - 1)[Offset(endIndex - 1)] = bucket;
        }
    }

    void Append(Bucket bucket)
    {
        if ((endIndex - firstIndex) % BucketSeries.ChunkLength == 0)
        {
            chunks.Add(new Bucket[BucketSeries.ChunkLength]);
            shared.Add(false);
        }

        endIndex++;
        Writable(endIndex - 1)[Offset(endIndex - 1)] = bucket;
        if (chunks.Count > MaxChunks)
        {
            coarse = (coarse.Count < MaxCoarse ? coarse : coarse.RemoveAt(0)).Add(CoarseBuckets.Of(chunks[0]));
            chunks.RemoveAt(0);
            shared.RemoveAt(0);
            firstIndex += BucketSeries.ChunkLength;
        }
    }

    Bucket[] Writable(long index)
    {
        var chunk = (int)((index - firstIndex) / BucketSeries.ChunkLength);
        if (shared[chunk])
        {
            chunks[chunk] = (Bucket[])chunks[chunk].Clone();
            shared[chunk] = false;
        }

        return chunks[chunk];
    }

    void Restart(long first)
    {
        chunks.Clear();
        shared.Clear();
        coarse = [];
        firstIndex = endIndex = first;
    }

    int Offset(long index) => (int)((index - firstIndex) % BucketSeries.ChunkLength);

    long IndexOf(EventTime at) => (long)Math.Floor(at.MsSince(origin) / BucketSeries.BucketMs);
}
