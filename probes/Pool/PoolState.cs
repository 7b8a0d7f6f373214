using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>
/// The state from which a policy decides; immutable. Unknown values are null, and make a decision undecided where they matter.
/// </summary>
sealed record PoolState
{
    /// <summary>The target's settings.</summary>
    public required PoolSettings Settings { get; init; }

    /// <summary>Whether the gate thread takes the processors for busy at this use of them, 0 to 1.</summary>
    internal bool IsBusyAt(double? cpu) => !Settings.CpuUnread && cpu >= GateTiming.BusyCpu;

    /// <summary>
    /// Whether MaxThreads forbids another thread, by the existing threads or the target thread count; an unknown MaxThreads does not.
    /// </summary>
    internal bool IsAtMax => Settings.Max is { } max && (Existing >= max || TargetThreads >= max);

    /// <summary>Event time of the last input.</summary>
    public EventTime Now { get; init; }

    /// <summary>Target thread count; null before the first adjustment of a late attach.</summary>
    public int? TargetThreads { get; init; }

    /// <summary>Existing worker threads.</summary>
    public int? Existing { get; init; }

    /// <summary>Whether items wait for a worker thread; null when not known.</summary>
    public bool? Outstanding { get; init; }

    /// <summary>The last observed dequeue.</summary>
    public EventTime? LastDequeue { get; init; }

    /// <summary>
    /// The last gate check before <see cref="LastDequeue"/>: on an idle machine its wake-up refreshed the coarse clock that the dequeue
    /// read.
    /// </summary>
    public EventTime? CheckBeforeDequeue { get; init; }

    /// <summary>
    /// Whether items were completed since <see cref="LastDequeue"/>, so that later dequeues are likely; null when not known.
    /// </summary>
    public bool? DequeuedUnseen { get; init; }

    /// <summary>Processor use of the target, share of all processors, 0 to 1.</summary>
    public double? Cpu { get; init; }

    /// <summary>The maximum processor use in the gate thread's last period, 0 to 1; null where it is assumed to be steady.</summary>
    public double? CpuAtMost { get; init; }

    /// <summary>The last gate check; null while the phase is not known.</summary>
    public EventTime? LastCheck { get; init; }

    /// <summary>From <see cref="LastCheck"/> to the next gate check, milliseconds: depends on the outcome of the last one.</summary>
    public double CheckPeriodMs { get; init; } = GateTiming.AfterHold;

    /// <summary>When the pending blocking compensation step is due; null when none is pending.</summary>
    public EventTime? CooperativeDue { get; init; }

    /// <summary>The newest reading of the coarse clock; null when it was not read.</summary>
    public ClockReading? Clock { get; init; }

    /// <summary>Worker threads inside a task wait that the pool detects; null when unknown, as in any observation from outside.</summary>
    public int? TaskWaits { get; init; }

    /// <summary>
    /// The part of <see cref="TargetThreads"/> that compensates for task waits; maintained only while <see cref="TaskWaits"/> is known.
    /// </summary>
    public int AddedForTaskWaits { get; init; }

    /// <summary>When the newest worker thread was created; the policies before .NET 4 need it.</summary>
    public EventTime? LastCreation { get; init; }

    /// <summary>Queue length: items waiting for a worker thread; null when unknown.</summary>
    public long? QueueLength { get; init; }

    /// <summary>
    /// <see cref="QueueLength"/> at the last gate check that found any items; Rotor's policy checks whether it has shrunk since.
    /// </summary>
    public long QueueLengthAtCheck { get; init; }
}
