using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>What a policy decides from; immutable. What is not known is null and makes a decision undecided where it matters.</summary>
sealed record PoolState
{
    /// <summary>The target's settings.</summary>
    public required PoolSettings Settings { get; init; }

    /// <summary>Whether the gate takes the processors for busy at such a use of them, 0 to 1.</summary>
    internal bool IsBusyAt(double? cpu) => !Settings.CpuUnread && cpu >= GateTiming.BusyCpu;

    /// <summary>Whether max forbids another worker, by those that exist or are wanted; a max that is not known forbids none.</summary>
    internal bool IsAtMax => Settings.Max is { } max && (Existing >= max || Goal >= max);

    /// <summary>Event time of the last input.</summary>
    public EventTime Now { get; init; }

    /// <summary>Workers the pool wants; null before the first adjustment of a late attach.</summary>
    public int? Goal { get; init; }

    /// <summary>Workers that exist.</summary>
    public int? Existing { get; init; }

    /// <summary>Whether work waits for a worker; null when not known.</summary>
    public bool? Outstanding { get; init; }

    /// <summary>Last dequeue that was seen.</summary>
    public EventTime? LastDequeue { get; init; }

    /// <summary>
    /// The gate's last tick before <see cref="LastDequeue"/>: on an idle machine its wake-up
    /// refreshed the coarse clock that the dequeue read.
    /// </summary>
    public EventTime? TickBeforeDequeue { get; init; }

    /// <summary>Items completed since <see cref="LastDequeue"/>, so that later dequeues are likely; null when not known.</summary>
    public bool? DequeuedUnseen { get; init; }

    /// <summary>Processor use of the target, share of all processors, 0 to 1.</summary>
    public double? Cpu { get; init; }

    /// <summary>The most that it can have been in the gate's last period; null where it is taken to be steady.</summary>
    public double? CpuAtMost { get; init; }

    /// <summary>The gate's last tick; null while its phase is not known.</summary>
    public EventTime? LastTick { get; init; }

    /// <summary>From <see cref="LastTick"/> to the next tick, milliseconds: depends on what that tick did.</summary>
    public double TickPeriodMs { get; init; } = GateTiming.AfterHold;

    /// <summary>How the moment of the next tick scatters around the expected one, standard deviation, milliseconds.</summary>
    public double TickScatterMs { get; init; } = GateTiming.ScatterMs;

    /// <summary>When the pending cooperative adjustment is due; null when none is pending.</summary>
    public EventTime? CooperativeDue { get; init; }

    /// <summary>The coarse clock.</summary>
    public ClockReading? Clock { get; init; }

    /// <summary>
    /// Workers inside a wait that the pool knows of; null where nobody tells, as in everything that is observed from outside.
    /// </summary>
    public int? TaskWaits { get; init; }

    /// <summary>The part of <see cref="Goal"/> that compensates for task waits; kept only while <see cref="TaskWaits"/> is told.</summary>
    public int AddedForTaskWaits { get; init; }

    /// <summary>When the newest worker was created; the policies before .NET 4 count from it.</summary>
    public EventTime? LastCreation { get; init; }

    /// <summary>Items that wait for a worker; null where nobody tells.</summary>
    public long? Backlog { get; init; }

    /// <summary><see cref="Backlog"/> at the last tick that found any; the first policies ask whether it has shrunk since.</summary>
    public long BacklogAtTick { get; init; }
}
