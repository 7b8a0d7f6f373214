namespace Tpwatch.Timeline;

/// <summary>What was seen in 50 ms of event time. Unknown is -1 (NaN for shares and rates), never zero.</summary>
/// <param name="WorkersMin">Fewest workers in the bucket.</param>
/// <param name="WorkersMax">Most workers in the bucket.</param>
/// <param name="Goal">The goal at the bucket's end.</param>
/// <param name="Backlog">Items that wait, from the last heartbeat.</param>
/// <param name="CompletedPerSecond">Items per second, from the heartbeat that covers the bucket.</param>
/// <param name="Cpu">Share of all processors, 0 to 1, from the heartbeat that covers the bucket.</param>
/// <param name="Lost">Events were lost here: the values are not known.</param>
public readonly record struct Bucket(
    int WorkersMin, int WorkersMax, int Goal, long Backlog, float CompletedPerSecond, float Cpu, bool Lost)
{
    /// <summary>A bucket of which nothing is known.</summary>
    public static Bucket Unknown { get; } = new(-1, -1, -1, -1, float.NaN, float.NaN, Lost: false);
}

/// <summary>
/// The lanes over time, in buckets of <see cref="BucketMs"/>, bounded to the newest <see cref="Capacity"/>. Immutable: sealed chunks are
/// shared between snapshots, only the growing tail is copied.
/// </summary>
public sealed class BucketSeries
{
    /// <summary>Length of a bucket: a tenth of the gate's period, fine enough that no tick shares a bucket with the next.</summary>
    public const int BucketMs = 50;

    /// <summary>Fifteen minutes at full detail.</summary>
    public const int Capacity = 15 * 60 * 1000 / BucketMs;

    readonly Bucket[][] chunks;
    readonly int tailLength;

    internal BucketSeries(EventTime origin, long firstIndex, Bucket[][] chunks, int tailLength)
    {
        Origin = origin;
        FirstIndex = firstIndex;
        this.chunks = chunks;
        this.tailLength = tailLength;
    }

    internal const int ChunkLength = 600;

    /// <summary>Event time of index 0, the start of the capture.</summary>
    public EventTime Origin { get; }

    /// <summary>Index of the oldest bucket that is kept.</summary>
    public long FirstIndex { get; }

    /// <summary>Index after the newest bucket.</summary>
    public long EndIndex => FirstIndex + (chunks.Length == 0 ? 0 : (chunks.Length - 1) * (long)ChunkLength + tailLength);

    /// <summary>The bucket at <paramref name="index"/>, or <see cref="Bucket.Unknown"/> outside of what is kept.</summary>
    public Bucket this[long index]
    {
        get
        {
            if (index < FirstIndex || index >= EndIndex)
            {
                return Bucket.Unknown;
            }

            var offset = index - FirstIndex;
            return chunks[(int)(offset / ChunkLength)][(int)(offset % ChunkLength)];
        }
    }

    /// <summary>Index of the bucket that holds <paramref name="at"/>.</summary>
    public long IndexOf(EventTime at) => (long)Math.Floor(at.MsSince(Origin) / BucketMs);

    /// <summary>Event time at which the bucket begins.</summary>
    public EventTime TimeOf(long index) => Origin.PlusMs(index * (double)BucketMs);

    /// <summary>A series from values, oldest first; for tests and for views that need an example.</summary>
    public static BucketSeries Of(EventTime origin, IReadOnlyList<Bucket> values)
    {
        var chunks = values.Chunk(ChunkLength).Select(c => c.Concat(new Bucket[ChunkLength - c.Length]).ToArray()).ToArray();
        return new(origin, 0, chunks, values.Count == 0 ? 0 : (values.Count - 1) % ChunkLength + 1);
    }
}
