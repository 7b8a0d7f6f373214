using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>Something that changes a policy's state, at a moment of event time.</summary>
abstract record PoolInput(EventTime At)
{
    /// <summary>Work was queued and waits.</summary>
    public sealed record Queued(EventTime At) : PoolInput(At);

    /// <summary>A worker took an item.</summary>
    public sealed record Dequeued(EventTime At) : PoolInput(At);

    /// <summary>What the counters say of the time up to now: whether items were completed (null: not known) and processor use.</summary>
    public sealed record Counted(EventTime At, bool? Completed, double? Cpu, bool? Outstanding) : PoolInput(At)
    {
        /// <summary>The most that the processors can have been used in the gate's last period; null: no more than on average.</summary>
        public double? CpuAtMost { get; init; }
    }

    /// <summary>The number of workers is known.</summary>
    public sealed record WorkersSeen(EventTime At, int Existing) : PoolInput(At);

    /// <summary>The goal changed.</summary>
    public sealed record GoalSeen(EventTime At, int Goal, AdjustmentReason Reason) : PoolInput(At);

    /// <summary>The gate looked and did not inject.</summary>
    public sealed record Ticked(EventTime At) : PoolInput(At);

    /// <summary>The gate thread began its life, or woke from its sleep: its period starts here.</summary>
    public sealed record GateBegan(EventTime At) : PoolInput(At);

    /// <summary>The gate's phase is not known any more: it may have slept since.</summary>
    public sealed record GateLost(EventTime At) : PoolInput(At);

    /// <summary>Min, max or processors are known.</summary>
    public sealed record SettingsSeen(EventTime At, PoolSettings Settings) : PoolInput(At);

    /// <summary>The coarse clock was read.</summary>
    public sealed record ClockRead(EventTime At, ClockReading Clock) : PoolInput(At);

    /// <summary>So many items wait for a worker.</summary>
    public sealed record BacklogSeen(EventTime At, long Items) : PoolInput(At);

    /// <summary>So many workers are inside a wait that the pool knows of.</summary>
    public sealed record TaskWaitsSeen(EventTime At, int Workers) : PoolInput(At);

    /// <summary>Nothing happened but time.</summary>
    public sealed record Time(EventTime At) : PoolInput(At);
}
