namespace Tpwatch.Reports;

/// <summary>
/// Measurements of single items in addition to <see cref="PoolEvidence.QueueDelay"/> and <see cref="PoolEvidence.RunTime"/>.
/// </summary>
public sealed record ItemTimes
{
    /// <summary>Queue time of the items dequeued outside starvation; null if there were none.</summary>
    public Distribution? HealthyDelay { get; init; }

    /// <summary>Queue time of the items dequeued in a second that overlaps a starved episode; null if there were none.</summary>
    public Distribution? StarvedDelay { get; init; }

    /// <summary>Run time of the items completed outside starvation; null if there were none.</summary>
    public Distribution? HealthyRun { get; init; }

    /// <summary>Run time of the items completed during starvation; null if there were none.</summary>
    public Distribution? StarvedRun { get; init; }

    /// <summary>Queue time in intervals of a second (or longer), oldest first; intervals without a dequeued item are left out.</summary>
    public required ImmutableArray<DelayPoint> OverTime { get; init; }

    /// <summary>The items with the longest queue times, longest first.</summary>
    public required ImmutableArray<SlowItem> Slowest { get; init; }

    /// <summary>Number of items still queued at the end; these items count neither as measured nor as unmatched.</summary>
    public required int Waiting { get; init; }

    /// <summary>Queue time so far of the oldest item still queued, milliseconds; null if no item is queued or too many items are.</summary>
    public double? OldestWaitMs { get; init; }

    /// <summary>The time during which items were watched.</summary>
    public required EventSpan Watched { get; init; }
}

/// <summary>Queue time of the items dequeued in a time span, milliseconds.</summary>
public readonly record struct DelayPoint(EventSpan Span, long Count, double P50Ms, double P99Ms, double MaxMs);

/// <summary>An item with a long queue time.</summary>
/// <param name="Queued">When the item was queued.</param>
/// <param name="WaitMs">Queue time, milliseconds.</param>
/// <param name="RunMs">Run time, milliseconds; null while the item runs.</param>
/// <param name="ThreadId">OS id of the worker thread.</param>
/// <param name="Id">The runtime's hash of the item; the events carry no name.</param>
/// <param name="FreedBy">Number of the injection delay that ended with this worker thread; null if the thread existed before.</param>
/// <param name="Reason">Reason of that injection.</param>
public sealed record SlowItem(EventTime Queued, double WaitMs, double? RunMs, int ThreadId, long Id, int? FreedBy, AdjustmentReason? Reason)
{
    internal static SlowItem Of(in MeasuredItem item, ImmutableArray<InjectionDelay> delays)
    {
        var taken = item.Taken;
        var freed = item.ByNewWorker ? delays.LastOrDefault(g =>
            g.Reason is not null && g.TargetThreadsAfter > g.TargetThreadsBefore && g.End <= taken && taken.MsSince(g.End) <= CreationMs)
                : null;
        return new(item.Queued, item.WaitMs, item.Ended?.MsSince(item.Taken), item.ThreadId, item.Id, freed?.Number, freed?.Reason);
    }

    /// <summary>Maximum time from an injection to the new worker thread's first item, milliseconds (1 ms on a quiet machine).</summary>
    const double CreationMs = 100;
}
