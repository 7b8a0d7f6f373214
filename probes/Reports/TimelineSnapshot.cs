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

    /// <summary>Time of the newest event: the data is complete up to here, as far as <see cref="Quality"/> says.</summary>
    public required EventTime Now { get; init; }

    /// <summary>The newest values.</summary>
    public required PoolLevels Levels { get; init; }

    /// <summary>The values over time in buckets of 50 ms, oldest first.</summary>
    public required BucketSeries Buckets { get; init; }

    /// <summary>The counter samples, oldest first.</summary>
    public required ImmutableArray<CounterSample> CounterSamples { get; init; }

    /// <summary>
    /// Interval of the counter samples that an earlier listener of the target imposes, milliseconds; null if tpwatch's own interval
    /// applies.
    /// </summary>
    internal double? ImposedIntervalMs { get; init; }

    /// <summary>
    /// When worker threads started, went to sleep and ended, oldest first; bounded. Of several sleeps of one thread that follow each other
    /// closely, only the first is kept.
    /// </summary>
    internal ImmutableArray<WorkerMoment> WorkerMoments { get; init; } = [];

    /// <summary>The last reading of the coarse clock; null if there is none.</summary>
    internal ClockReading? Clock { get; init; }

    /// <summary>Spans in which the target's threads could not run, by evidence from outside the pool; oldest first, bounded.</summary>
    public ImmutableArray<Hindrance> Hindrances { get; init; } = [];

    /// <summary>Totals of the hindrances over the whole capture, one for each kind; empty if no source of such evidence exists.</summary>
    public ImmutableArray<HindranceTotal> HindranceTotals { get; init; } = [];

    /// <summary>The newest reading of the process from the operating system; null if impossible (a port, an old recording).</summary>
    internal ProcessReading? Process { get; init; }

    /// <summary>
    /// The other processes that used the processors when the target's threads last waited for a processor; null if not observed, as in a
    /// recording.
    /// </summary>
    internal OthersSeen? Others { get; init; }

    /// <summary>The quality of the capture.</summary>
    public required CaptureQuality Quality { get; init; }

    /// <summary>The target's wall-clock time of a moment; limited to the range of DateTime, in case the header is damaged.</summary>
    public DateTime UtcOf(EventTime at) => new(
        Math.Clamp(StartUtc.Ticks + ((at.Nanoseconds - Start.Nanoseconds) / 100), 0, DateTime.MaxValue.Ticks), StartUtc.Kind);
}

/// <summary>The newest known values; null is unknown.</summary>
/// <param name="Workers">Number of worker threads.</param>
/// <param name="TargetThreads">Target thread count.</param>
/// <param name="QueueLength">Queue length at the last counter sample.</param>
/// <param name="CompletedPerSecond">Items completed per second during the last counter sample interval.</param>
/// <param name="Cpu">Processor time during the last counter sample interval as a share of all processors, 0 to 1:
/// the runtime's own definition on Unix.</param>
public sealed record PoolLevels(int? Workers, int? TargetThreads, long? QueueLength, double? CompletedPerSecond, double? Cpu);

/// <summary>One counter sample as the timeline keeps it.</summary>
/// <param name="At">Event time.</param>
/// <param name="IntervalMs">Time since the previous counter sample, milliseconds.</param>
/// <param name="Workers">Number of worker threads.</param>
/// <param name="QueueLength">Queue length.</param>
/// <param name="Completed">Items completed since the previous counter sample.</param>
/// <param name="Cpu">Processor time as a share of all processors, 0 to 1.</param>
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
