using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>An input that changes a policy's state, at a moment of event time.</summary>
abstract record PoolInput(EventTime At)
{
    /// <summary>An item was queued and waits.</summary>
    public sealed record Queued(EventTime At) : PoolInput(At);

    /// <summary>A worker thread took an item.</summary>
    public sealed record Dequeued(EventTime At) : PoolInput(At);

    /// <summary>A counter sample of the time up to now: whether items were completed (null: not known), and processor use.</summary>
    public sealed record Counted(EventTime At, bool? Completed, double? Cpu, bool? Outstanding) : PoolInput(At)
    {
        /// <summary>The maximum processor use in the gate thread's last period; null: not above the average.</summary>
        public double? CpuAtMost { get; init; }
    }

    /// <summary>The number of worker threads is known.</summary>
    public sealed record WorkersSeen(EventTime At, int Existing) : PoolInput(At);

    /// <summary>The target thread count changed.</summary>
    public sealed record TargetThreadsSeen(EventTime At, int TargetThreads, AdjustmentReason Reason) : PoolInput(At);

    /// <summary>The gate thread checked and did not inject.</summary>
    public sealed record GateChecked(EventTime At) : PoolInput(At);

    /// <summary>The gate thread started, or woke from its sleep: its period starts here.</summary>
    public sealed record GateBegan(EventTime At) : PoolInput(At);

    /// <summary>The phase of the gate checks is no longer known: the gate thread may have slept since.</summary>
    public sealed record GateLost(EventTime At) : PoolInput(At);

    /// <summary>MinThreads, MaxThreads or the processors are known.</summary>
    public sealed record SettingsSeen(EventTime At, PoolSettings Settings) : PoolInput(At);

    /// <summary>A reading of the coarse clock.</summary>
    public sealed record ClockRead(EventTime At, ClockReading Clock) : PoolInput(At);

    /// <summary>The queue length: <paramref name="Items"/> wait for a worker thread.</summary>
    public sealed record QueueLengthSeen(EventTime At, long Items) : PoolInput(At);

    /// <summary>The number of worker threads inside a task wait that the pool detects.</summary>
    public sealed record TaskWaitsSeen(EventTime At, int Workers) : PoolInput(At);

    /// <summary>Only time has passed.</summary>
    public sealed record Time(EventTime At) : PoolInput(At);
}
