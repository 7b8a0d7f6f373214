namespace Tpwatch.Reports;

/// <summary>What the single items tell beyond <see cref="PoolReport.QueueDelay"/> and <see cref="PoolReport.RunTime"/>.</summary>
public sealed record ItemTimes
{
    /// <summary>Queue delay of the items taken while nothing starved; null where there was none.</summary>
    public Distribution? HealthyDelay { get; init; }

    /// <summary>Queue delay of the items taken in a second that a starved episode touches; null where there was none.</summary>
    public Distribution? StarvedDelay { get; init; }

    /// <summary>Run time of the items that ended while nothing starved.</summary>
    public Distribution? HealthyRun { get; init; }

    /// <summary>Run time of the items that ended in starved time.</summary>
    public Distribution? StarvedRun { get; init; }

    /// <summary>
    /// Queue delay over time, a second each (longer in a long capture), oldest first; seconds in which nothing was taken are left out.
    /// </summary>
    public required ImmutableArray<DelayPoint> OverTime { get; init; }

    /// <summary>The items that waited longest, the longest first.</summary>
    public required ImmutableArray<SlowItem> Slowest { get; init; }

    /// <summary>Items that were queued and not taken at the end; they are neither counted as measured nor as unmatched.</summary>
    public required int Waiting { get; init; }

    /// <summary>How long the oldest of them has waited so far, milliseconds; null when none waits or there are too many.</summary>
    public double? OldestWaitMs { get; init; }

    /// <summary>From when to when items were watched.</summary>
    public required EventSpan Watched { get; init; }
}

/// <summary>Queue delay of the items taken in a stretch of time, milliseconds.</summary>
public readonly record struct DelayPoint(EventSpan Span, long Count, double P50Ms, double P99Ms, double MaxMs);

/// <summary>An item that waited long.</summary>
/// <param name="Queued">When it was queued.</param>
/// <param name="WaitMs">How long it waited for a worker, milliseconds.</param>
/// <param name="RunMs">How long it held the worker, milliseconds; null while it runs.</param>
/// <param name="ThreadId">OS id of the worker.</param>
/// <param name="Id">The runtime's hash of the item; the events carry no name.</param>
/// <param name="FreedBy">The number of the gap whose injection created the worker for it; null when a worker came free.</param>
/// <param name="Reason">Why that worker was injected.</param>
public sealed record SlowItem(EventTime Queued, double WaitMs, double? RunMs, int ThreadId, long Id, int? FreedBy, AdjustmentReason? Reason)
{
    internal static SlowItem Of(in MeasuredItem item, ImmutableArray<Gap> gaps)
    {
        var taken = item.Taken;
        var freed = item.ByNewWorker ? gaps.LastOrDefault(g =>
            g.Reason is not null && g.GoalAfter > g.GoalBefore && g.End <= taken && taken.MsSince(g.End) <= CreationMs) : null;
        return new(item.Queued, item.WaitMs, item.Ended?.MsSince(item.Taken), item.ThreadId, item.Id, freed?.Number, freed?.Reason);
    }

    /// <summary>From an injection to the first item of its worker: 1 ms on a quiet machine, milliseconds.</summary>
    const double CreationMs = 100;
}
