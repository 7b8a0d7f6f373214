namespace Tpwatch.Reports;

/// <summary>
/// Why the pool changed its target thread count; the runtime's own names and numbers (ThreadPoolWorkerThreadAdjustment, field Reason).
/// </summary>
public enum AdjustmentReason
{
    /// <summary>Hill climbing has too few samples.</summary>
    Warmup = 0,

    /// <summary>Hill climbing starts again, because another rule changed the target thread count.</summary>
    Initializing = 1,

    /// <summary>Hill climbing; the current algorithm does not report this reason.</summary>
    RandomMove = 2,

    /// <summary>Hill climbing follows the slope of throughput.</summary>
    ClimbingMove = 3,

    /// <summary>Hill climbing; the current algorithm does not report this reason.</summary>
    ChangePoint = 4,

    /// <summary>Hill climbing stabilizes.</summary>
    Stabilizing = 5,

    /// <summary>The gate thread found work items queued and none dequeued for too long.</summary>
    Starvation = 6,

    /// <summary>An idle worker thread reached its timeout and ended.</summary>
    ThreadTimedOut = 7,

    /// <summary>Blocking compensation (.NET 6 and later): worker threads began or stopped waiting for tasks.</summary>
    CooperativeBlocking = 8,
}
