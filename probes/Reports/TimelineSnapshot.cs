namespace Tpwatch.Reports;

/// <summary>All observations up to one moment of event time; immutable, can be shared between threads.</summary>
public sealed record TimelineSnapshot
{
    /// <summary>The target, including facts from its events (processors, MinThreads, MaxThreads).</summary>
    public required TargetFacts Target { get; init; }

    /// <summary>The source of the event stream.</summary>
    public required SessionSource Source { get; init; }

    /// <summary>Start of the capture in event time.</summary>
    public required EventTime Start { get; init; }

    /// <summary>Start of the capture in the target's wall-clock time.</summary>
    public required DateTime StartUtc { get; init; }

    /// <summary>Time of the newest event. The data is complete up to this time, except for the losses in <see cref="Quality"/>.</summary>
    public required EventTime Now { get; init; }

    /// <summary>The newest values of the pool.</summary>
    public required PoolLevels Levels { get; init; }

    /// <summary>The values of the pool over time, in buckets of 50 ms, oldest first.</summary>
    public required BucketSeries Buckets { get; init; }

    /// <summary>The counter samples, oldest first.</summary>
    public required ImmutableArray<CounterSample> CounterSamples { get; init; }

    /// <summary>Interval of the counter samples, milliseconds, if an earlier listener of the target imposed it; else null.</summary>
    internal double? ImposedIntervalMs { get; init; }

    /// <summary>
    /// When worker threads started, went to sleep and ended, oldest first; bounded. Of several sleeps of one thread that follow each other
    /// closely, only the first is kept.
    /// </summary>
    internal ImmutableArray<WorkerStateChange> WorkerMoments { get; init; } = [];

    /// <summary>The last reading of the machine's coarse clock; null if there is none.</summary>
    internal ClockReading? Clock { get; init; }

    /// <summary>Spans in which the target's threads could not run, for reasons outside the pool; oldest first, bounded.</summary>
    public ImmutableArray<Hindrance> Hindrances { get; init; } = [];

    /// <summary>Totals of the hindrances over the whole capture, one for each kind; empty if hindrances were not measured.</summary>
    public ImmutableArray<HindranceTotal> HindranceTotals { get; init; } = [];

    /// <summary>Totals by kind: <see cref="HindranceTotals"/>, or the sums of <see cref="Hindrances"/> if there are no totals.</summary>
    internal ImmutableArray<HindranceTotal> Totals => !HindranceTotals.IsEmpty ? HindranceTotals
        : [.. Hindrances.GroupBy(h => h.Kind).Select(g => new HindranceTotal(g.Key, g.Count(), g.Sum(h => h.Ms), g.Max(h => h.Ms)))];

    /// <summary>Length of the capture, milliseconds, at least 1. It includes a stop of the process after the newest event.</summary>
    internal double CaptureMs =>
        Math.Max(1, Hindrances.Aggregate(Now, (last, h) => EventTime.Max(last, h.Span.To)).MsSince(Start));

    /// <summary>The operating system's newest data about the process; null if there is none (remote target, old recording).</summary>
    internal ProcessReading? Process { get; init; }

    /// <summary>
    /// The other processes that used the processors when the target's threads last waited for a processor; null if not observed, as in a
    /// recording.
    /// </summary>
    internal TopCpuProcesses? Others { get; init; }

    /// <summary>The quality of the capture.</summary>
    public required CaptureQuality Quality { get; init; }

    /// <summary>The target's wall-clock time of a moment, limited to the range of DateTime, which a damaged recording can exceed.</summary>
    public DateTime UtcOf(EventTime at) => new(
        Math.Clamp(StartUtc.Ticks + ((at.Nanoseconds - Start.Nanoseconds) / 100), 0, DateTime.MaxValue.Ticks), StartUtc.Kind);
}

/// <summary>The newest known values of the pool; null values are unknown.</summary>
/// <param name="Workers">Number of worker threads.</param>
/// <param name="TargetThreads">Target thread count.</param>
/// <param name="QueueLength">Queue length at the last counter sample.</param>
/// <param name="CompletedPerSecond">Items completed per second during the last counter sample interval.</param>
/// <param name="Cpu">Processor use of the process in the last counter sample interval, as a share of all processors, 0 to 1.</param>
public sealed record PoolLevels(int? Workers, int? TargetThreads, long? QueueLength, double? CompletedPerSecond, double? Cpu);

/// <summary>One counter sample; null values are unknown.</summary>
/// <param name="At">Event time.</param>
/// <param name="IntervalMs">Time since the previous counter sample, milliseconds.</param>
/// <param name="Workers">Number of worker threads.</param>
/// <param name="QueueLength">Queue length.</param>
/// <param name="Completed">Items completed since the previous counter sample.</param>
/// <param name="Cpu">Processor use of the process, as a share of all processors, 0 to 1.</param>
public sealed record CounterSample(EventTime At, double? IntervalMs, int? Workers, long? QueueLength, long? Completed, double? Cpu);

/// <summary>How complete the capture is.</summary>
/// <param name="Events">Number of pool events that were read.</param>
/// <param name="Lost">Number of lost events, as far as the stream shows it.</param>
/// <param name="LossUnknown">Whether the stream reported lost events without their number.</param>
/// <param name="Undecodable">Number of pool events that could not be decoded.</param>
/// <param name="CompleteUpTo">Event time up to which all events have arrived.</param>
/// <param name="LossSpans">The time spans in which events were lost.</param>
/// <param name="Remarks">Notes for the reader of a report, in words.</param>
public sealed record CaptureQuality(
    long Events, long Lost, bool LossUnknown, long Undecodable, EventTime CompleteUpTo,
    ImmutableArray<EventSpan> LossSpans, ImmutableArray<string> Remarks);

/// <summary>The values of the pool during 50 ms of event time. An unknown value is -1 (NaN for shares and rates), never zero.</summary>
/// <param name="WorkersMin">Smallest number of worker threads in the bucket.</param>
/// <param name="WorkersMax">Largest number of worker threads in the bucket.</param>
/// <param name="TargetThreads">The target thread count at the end of the bucket.</param>
/// <param name="QueueLength">The queue length, from the last counter sample.</param>
/// <param name="CompletedPerSecond">Items completed per second, from the counter sample that covers the bucket.</param>
/// <param name="Cpu">Processor use as a share of all processors, 0 to 1, from the counter sample that covers the bucket.</param>
/// <param name="Lost">Whether events were lost in the bucket, so that its values are not known.</param>
public readonly record struct Bucket(
    int WorkersMin, int WorkersMax, int TargetThreads, long QueueLength, float CompletedPerSecond, float Cpu, bool Lost)
{
    /// <summary>A bucket without any known value.</summary>
    public static Bucket Unknown { get; } = new(-1, -1, -1, -1, float.NaN, float.NaN, Lost: false);
}

/// <summary>
/// The values of the pool over time. The newest <see cref="Capacity"/> buckets have the length <see cref="BucketMs"/>; older buckets are
/// merged to <see cref="CoarseMs"/>. The whole series has the length of up to <see cref="WholeCapacity"/> unmerged buckets. Immutable:
/// snapshots share the full chunks of buckets and copy only the last chunk.
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

    /// <summary>Maximum length of the series, in unmerged buckets: four hours, enough for an incident and the time before it.</summary>
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

    /// <summary>Number of buckets in a chunk, six seconds. Each snapshot of a live timeline copies the last chunk.</summary>
    internal const int ChunkLength = 120;

    /// <summary>Number of full-detail buckets in a coarse one.</summary>
    internal const int PerCoarse = CoarseMs / BucketMs;

    /// <summary>Event time of index 0, the start of the capture.</summary>
    public EventTime Origin { get; }

    /// <summary>Index of the oldest bucket that is kept.</summary>
    public long FirstIndex => Math.Max(forgotten, CoarseIndex);

    /// <summary>Index of the oldest bucket at full detail; older buckets share one set of values for each <see cref="CoarseMs"/>.</summary>
    public long DetailIndex { get; }

    /// <summary>Index after the newest bucket.</summary>
    public long EndIndex => DetailIndex + (chunks.Length == 0 ? 0 : (chunks.Length - 1) * (long)ChunkLength + tailLength);

    /// <summary>The bucket at <paramref name="index"/>, or <see cref="Bucket.Unknown"/> if that bucket is not kept.</summary>
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

enum WorkerAction
{
    /// <summary>The thread started, and takes an item at once.</summary>
    Started,

    /// <summary>The thread found no further item and went to sleep.</summary>
    Slept,

    Ended,
}

/// <summary>A state change of a worker thread. The event stream does not report when a sleeping thread is woken.</summary>
readonly record struct WorkerStateChange(EventTime At, int ThreadId, WorkerAction Deed);

/// <summary>
/// Keeps the newest state changes of worker threads. The time between two changes shows how long items held a thread. In a busy pool,
/// threads sleep thousands of times a second after very short items, so only sleeps of a thread that are far enough apart are kept.
/// </summary>
sealed class WorkerStateTracker
{
    /// <summary>Number of state changes kept: enough for a thousand worker threads that start and sleep.</summary>
    const int Capacity = 2048;

    /// <summary>Minimum time between two kept sleeps of a thread, milliseconds; between closer sleeps, no item ran for long.</summary>
    const double ApartMs = 100;

    readonly List<WorkerStateChange> kept = [];
    readonly Dictionary<int, EventTime> slept = [];
    ImmutableArray<WorkerStateChange> snapshot = [];
    bool changed;

    public void Started(EventTime at, int thread) => Keep(new(at, thread, WorkerAction.Started));

    public void Slept(EventTime at, int thread)
    {
        if (!slept.TryGetValue(thread, out var before) || at.MsSince(before) >= ApartMs)
        {
            slept[thread] = at;
            Keep(new(at, thread, WorkerAction.Slept));
        }
    }

    public void Ended(EventTime at, int thread)
    {
        slept.Remove(thread);
        Keep(new(at, thread, WorkerAction.Ended));
    }

    public ImmutableArray<WorkerStateChange> Snapshot()
    {
        (snapshot, changed) = changed ? ([.. kept], false) : (snapshot, false);
        return snapshot;
    }

    void Keep(WorkerStateChange moment)
    {
        if (kept.Count == Capacity)
        {
            kept.RemoveRange(0, Capacity / 8);
        }

        kept.Add(moment);
        changed = true;
    }
}

/// <summary>
/// Detects a pool that sends no events. Pool events are managed events, and a program may be built without managed events
/// (EventSourceSupport=false, the default of a single-source-file program). Stacks come from the runtime itself and are still available.
/// </summary>
static class NoPoolEvents
{
    /// <summary>The switch for event sources; if it is false, the pool sends no events.</summary>
    public const string Entry = "System.Diagnostics.Tracing.EventSource.IsSupported";

    /// <summary>Whether no pool event has arrived. A runtime that sends pool events sends the number of processors first.</summary>
    public static bool Is(TimelineSnapshot seen) =>
        seen.CounterSamples.IsEmpty && seen.Levels is { Workers: null, TargetThreads: null }
            && seen.Target.Processors.Source != SettingSource.Event;

    /// <summary>The target's setting that switches managed events off; null if none is found, as in a single-file program.</summary>
    public static PoolSetting? Setting(TimelineSnapshot seen) =>
        seen.Target.Settings.FirstOrDefault(s => s.Name == Entry && bool.TryParse(s.Value, out var on) && !on);
}

/// <summary>
/// Decides whether the beginning of a problem was observed; after a late attach, a problem may be older than its first observation.
/// </summary>
static class ProblemOnset
{
    /// <summary>
    /// Maximum time, milliseconds, from the start of the capture to a problem that probably began before it: 1.5 counter sample intervals.
    /// </summary>
    const double AtTheStartMs = 1500;

    /// <summary>Whether the problem was first seen so soon after the start of the capture that the true beginning is unknown.</summary>
    public static bool IsAtTheStart(TimelineSnapshot timeline, EventTime from) =>
        !IsWhole(timeline) && from.MsSince(timeline.Start) <= AtTheStartMs;

    /// <summary>
    /// Whether the beginning was observed: an earlier counter sample shows an empty queue. For a hang, in which no item waits, an earlier
    /// sample shows completed items or fewer worker threads. If no earlier samples are kept, the beginning counts as observed.
    /// </summary>
    public static bool IsSeen(PoolEvidence report, EventTime from)
    {
        var samples = report.Timeline.CounterSamples;
        var before = TimeOrderedSearch.FirstAfter(samples, from, sample => sample.At);
        return IsWhole(report.Timeline) || (!IsAtTheStart(report.Timeline, from)
            && (before == 0 || samples.Take(before).Any(sample => report.Verdict == Verdict.Held
                ? sample.Completed > 0 || sample.Workers < samples[before - 1].Workers : sample.QueueLength == 0)));
    }

    // Whether the process was launched by tpwatch, and so observed from its first instruction.
    static bool IsWhole(TimelineSnapshot timeline) => timeline.Source == SessionSource.Launched;
}
