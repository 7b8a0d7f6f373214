namespace Tpwatch.Reports;

/// <summary>Everything that was seen up to one moment of event time; immutable, shared freely between threads.</summary>
public sealed record TimelineSnapshot
{
    /// <summary>The target, with what its events added (processors, min, max).</summary>
    public required TargetFacts Target { get; init; }

    /// <summary>Where the stream comes from.</summary>
    public required SessionSource Source { get; init; }

    /// <summary>Start of the capture in event time.</summary>
    public required EventTime Start { get; init; }

    /// <summary>The same moment in the target's wall-clock time.</summary>
    public required DateTime StartUtc { get; init; }

    /// <summary>Time of the newest event: the data is complete up to here, as far as <see cref="Quality"/> says.</summary>
    public required EventTime Now { get; init; }

    /// <summary>The newest values.</summary>
    public required PoolLevels Levels { get; init; }

    /// <summary>The lanes in buckets of 50 ms, oldest first.</summary>
    public required BucketSeries Buckets { get; init; }

    /// <summary>The heartbeats, oldest first.</summary>
    public required ImmutableArray<Heartbeat> Heartbeats { get; init; }

    /// <summary>The interval at which they come since another listener was there first, milliseconds; null where ours holds.</summary>
    internal double? ImposedHeartbeatMs { get; init; }

    /// <summary>When workers started, slept and ended, oldest first; bounded, and of each worker's sleeps only those far apart.</summary>
    internal ImmutableArray<WorkerMoment> WorkerMoments { get; init; } = [];

    /// <summary>The last reading of the coarse clock, if any.</summary>
    internal ClockReading? Clock { get; init; }

    /// <summary>Stretches in which the target's threads could not run, by evidence from outside the pool; oldest first, bounded.</summary>
    public ImmutableArray<Hindrance> Hindrances { get; init; } = [];

    /// <summary>The same as sums over the whole capture, a kind each; empty where no source of such evidence was there.</summary>
    public ImmutableArray<HindranceTotal> HindranceTotals { get; init; } = [];

    /// <summary>
    /// The newest look at the process from outside; null where none is possible (a port, another system, an old recording).
    /// </summary>
    internal ProcessReading? Process { get; init; }

    /// <summary>
    /// Who else used the processors when the target's threads last waited for one; null where that was not seen, as in a recording.
    /// </summary>
    internal OthersSeen? Others { get; init; }

    /// <summary>How good the capture is.</summary>
    public required CaptureQuality Quality { get; init; }

    /// <summary>The target's wall-clock time of a moment; a damaged header ends with the calendar.</summary>
    public DateTime UtcOf(EventTime at) => new(
        Math.Clamp(StartUtc.Ticks + ((at.Nanoseconds - Start.Nanoseconds) / 100), 0, DateTime.MaxValue.Ticks), StartUtc.Kind);
}

/// <summary>The newest known values; null is unknown.</summary>
/// <param name="Workers">Workers that exist.</param>
/// <param name="Goal">Workers the pool wants.</param>
/// <param name="Backlog">Items that wait, at the last heartbeat.</param>
/// <param name="CompletedPerSecond">Items completed per second over the last heartbeat.</param>
/// <param name="Cpu">Processor time over the last heartbeat as a share of all processors, 0 to 1:
/// the runtime's own definition on Unix.</param>
public sealed record PoolLevels(int? Workers, int? Goal, long? Backlog, double? CompletedPerSecond, double? Cpu);

/// <summary>One heartbeat as the timeline keeps it.</summary>
/// <param name="At">Event time.</param>
/// <param name="IntervalMs">Time since the heartbeat before, milliseconds.</param>
/// <param name="Workers">Workers that exist.</param>
/// <param name="Backlog">Items that wait.</param>
/// <param name="Completed">Items completed since the heartbeat before.</param>
/// <param name="Cpu">Processor time as a share of all processors, 0 to 1.</param>
public sealed record Heartbeat(EventTime At, double? IntervalMs, int? Workers, long? Backlog, long? Completed, double? Cpu);

/// <summary>How much of what happened the capture holds.</summary>
/// <param name="Events">Events of ours that were read.</param>
/// <param name="Lost">Events lost, as far as the stream can tell.</param>
/// <param name="LossUnknown">The stream said that events were lost but not how many.</param>
/// <param name="Undecodable">Events of ours that could not be understood.</param>
/// <param name="CompleteUpTo">Event time up to which everything has arrived.</param>
/// <param name="LossSpans">Where events were lost.</param>
/// <param name="Remarks">What the reader of a report must know, in words.</param>
public sealed record CaptureQuality(
    long Events, long Lost, bool LossUnknown, long Undecodable, EventTime CompleteUpTo,
    ImmutableArray<EventSpan> LossSpans, ImmutableArray<string> Remarks);
