namespace Tpwatch.Reports;

/// <summary>The values of the pool during 50 ms of event time. An unknown value is -1 (NaN for shares and rates), never zero.</summary>
/// <param name="WorkersMin">Smallest number of worker threads in the bucket.</param>
/// <param name="WorkersMax">Largest number of worker threads in the bucket.</param>
/// <param name="TargetThreads">The target thread count at the end of the bucket.</param>
/// <param name="QueueLength">The queue length, from the last counter sample.</param>
/// <param name="CompletedPerSecond">Items completed per second, from the counter sample that covers the bucket.</param>
/// <param name="Cpu">Share of all processors, 0 to 1, from the counter sample that covers the bucket.</param>
/// <param name="Lost">Whether events were lost in the bucket, so that its values are not known.</param>
public readonly record struct Bucket(
    int WorkersMin, int WorkersMax, int TargetThreads, long QueueLength, float CompletedPerSecond, float Cpu, bool Lost)
{
    /// <summary>A bucket without any known value.</summary>
    public static Bucket Unknown { get; } = new(-1, -1, -1, -1, float.NaN, float.NaN, Lost: false);
}

/// <summary>
/// The values of the pool over time, in buckets of <see cref="BucketMs"/>: the newest <see cref="Capacity"/> buckets at full detail, older
/// ones merged to <see cref="CoarseMs"/>, up to <see cref="WholeCapacity"/> in all. Immutable: snapshots share the full chunks of buckets,
/// and only the unfilled last chunk is copied.
/// </summary>
public sealed class BucketSeries
{
    /// <summary>
    /// Length of a bucket in milliseconds: a tenth of the period of the gate thread, so that two gate checks never share a bucket.
    /// </summary>
    public const int BucketMs = 50;

    /// <summary>Number of buckets at full detail: fifteen minutes.</summary>
    public const int Capacity = 15 * 60 * 1000 / BucketMs;

    /// <summary>Length of a bucket before <see cref="DetailIndex"/>, milliseconds: two periods of the gate thread.</summary>
    public const int CoarseMs = 1000;

    /// <summary>Number of buckets of <see cref="BucketMs"/> in all: four hours, enough for an incident and the time before it.</summary>
    public const int WholeCapacity = 4 * 3600 * 1000 / BucketMs;

    readonly Bucket[][] chunks;
    readonly ImmutableList<Bucket[]> coarse;
    readonly int tailLength;
    readonly long forgotten;

    internal BucketSeries(EventTime origin, ImmutableList<Bucket[]> coarse, long detailIndex, Bucket[][] chunks, int tailLength)
    {
        Origin = origin;
        DetailIndex = detailIndex;
        this.coarse = coarse;
        this.chunks = chunks;
        this.tailLength = tailLength;
    }

    BucketSeries(BucketSeries whole, long forgotten)
        : this(whole.Origin, whole.coarse, whole.DetailIndex, whole.chunks, whole.tailLength) => this.forgotten = forgotten;

    internal const int ChunkLength = 600;

    /// <summary>Number of full-detail buckets in a coarse one.</summary>
    internal const int PerCoarse = CoarseMs / BucketMs;

    /// <summary>Event time of index 0, the start of the capture.</summary>
    public EventTime Origin { get; }

    /// <summary>Index of the oldest bucket that is kept.</summary>
    public long FirstIndex => Math.Max(forgotten, CoarseIndex);

    /// <summary>
    /// Index of the oldest bucket at full detail; below this index, all indexes within one <see cref="CoarseMs"/> return the same values.
    /// </summary>
    public long DetailIndex { get; }

    /// <summary>Index after the newest bucket.</summary>
    public long EndIndex => DetailIndex + (chunks.Length == 0 ? 0 : (chunks.Length - 1) * (long)ChunkLength + tailLength);

    /// <summary>The bucket at <paramref name="index"/>, or <see cref="Bucket.Unknown"/> if it is not kept.</summary>
    public Bucket this[long index]
    {
        get
        {
            if (index < FirstIndex || index >= EndIndex)
            {
                return Bucket.Unknown;
            }

            if (index < DetailIndex)
            {
                var old = index - CoarseIndex;
                return coarse[(int)(old / ChunkLength)][(int)(old % ChunkLength) / PerCoarse];
            }

            var offset = index - DetailIndex;
            return chunks[(int)(offset / ChunkLength)][(int)(offset % ChunkLength)];
        }
    }

    /// <summary>The next index whose values may differ from those at <paramref name="index"/>.</summary>
    public long Next(long index) =>
        index < DetailIndex && index >= FirstIndex ? index + PerCoarse - (index - CoarseIndex) % PerCoarse : index + 1;

    /// <summary>Index of the bucket that holds <paramref name="at"/>.</summary>
    public long IndexOf(EventTime at) => (long)Math.Floor(at.MsSince(Origin) / BucketMs);

    /// <summary>Event time at which the bucket starts.</summary>
    public EventTime TimeOf(long index) => Origin.PlusMs(index * (double)BucketMs);

    /// <summary>A series without the buckets before <paramref name="index"/>.</summary>
    public BucketSeries Since(long index) => new(this, Math.Min(index, EndIndex));

    long CoarseIndex => DetailIndex - coarse.Count * (long)ChunkLength;

    /// <summary>A series from values, oldest first; for tests and for views that need an example.</summary>
    public static BucketSeries Of(EventTime origin, IReadOnlyList<Bucket> values)
    {
        var chunks = values.Chunk(ChunkLength).Select(c => c.Concat(new Bucket[ChunkLength - c.Length]).ToArray()).ToArray();
        return new(origin, [], 0, chunks, values.Count == 0 ? 0 : (values.Count - 1) % ChunkLength + 1);
    }
}
