namespace Tpwatch.Reports;

/// <summary>Why the pool changed its goal; the runtime's own names and numbers (ThreadPoolWorkerThreadAdjustment, field Reason).</summary>
public enum AdjustmentReason
{
    /// <summary>Hill climbing has too few samples.</summary>
    Warmup = 0,

    /// <summary>Hill climbing starts again, since somebody else changed the goal.</summary>
    Initializing = 1,

    /// <summary>Hill climbing, not produced by today's algorithm.</summary>
    RandomMove = 2,

    /// <summary>Hill climbing follows the slope of throughput.</summary>
    ClimbingMove = 3,

    /// <summary>Hill climbing, not produced by today's algorithm.</summary>
    ChangePoint = 4,

    /// <summary>Hill climbing settles.</summary>
    Stabilizing = 5,

    /// <summary>The gate found work waiting and nothing dequeued for too long.</summary>
    Starvation = 6,

    /// <summary>An idle worker ended.</summary>
    ThreadTimedOut = 7,

    /// <summary>Compensation for workers that wait for tasks, .NET 6 and later; upward and downward.</summary>
    CooperativeBlocking = 8,
}
