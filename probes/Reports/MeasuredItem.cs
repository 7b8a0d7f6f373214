namespace Tpwatch.Reports;

/// <summary>A work item whose queueing and dequeueing were both seen.</summary>
/// <param name="Queued">When the item was queued.</param>
/// <param name="Taken">When a worker thread dequeued the item.</param>
/// <param name="Ended">When the item completed; null while the item runs, or if its end was not seen.</param>
/// <param name="ThreadId">OS id of the worker thread.</param>
/// <param name="Id">The runtime's hash of the item.</param>
/// <param name="ByNewWorker">Whether the item was the first item of a new worker thread.</param>
readonly record struct MeasuredItem(EventTime Queued, EventTime Taken, EventTime? Ended, int ThreadId, long Id, bool ByNewWorker)
{
    /// <summary>Queue time, milliseconds.</summary>
    public double WaitMs => Math.Max(0, Taken.MsSince(Queued));
}

/// <summary>The observations of single work items up to one moment; immutable.</summary>
sealed record ItemSnapshot
{
    public required ImmutableArray<ItemSlice> Slices { get; init; }

    /// <summary>
    /// Number of items whose queueing or dequeueing was not seen: queued before the session, run inline by a waiting thread, or lost.
    /// </summary>
    public required long Unmatched { get; init; }

    /// <summary>Number of dequeued items whose end was missed.</summary>
    public required long EndUnseen { get; init; }

    /// <summary>Number of items that are queued and not dequeued yet.</summary>
    public required int Waiting { get; init; }

    /// <summary>
    /// Whether <see cref="Waiting"/> includes all queued items: the queue has been empty since the probe started or last lost events.
    /// </summary>
    public required bool KnowsWaiting { get; init; }

    /// <summary>When the oldest item still queued was queued; null if no item is queued or too many items are.</summary>
    public EventTime? OldestWaiting => WaitingSince is [var oldest, ..] ? oldest : null;

    /// <summary>The items with the longest queue times, longest first.</summary>
    public required ImmutableArray<MeasuredItem> Slowest { get; init; }

    /// <summary>The first items that completed, in order of completion; see <see cref="KeptAll"/>.</summary>
    public required ReadOnlyMemory<MeasuredItem> Ended { get; init; }

    /// <summary>The items that are running now.</summary>
    public required ImmutableArray<MeasuredItem> Running { get; init; }

    /// <summary>When the queued items were queued, oldest first; empty if too many items are queued.</summary>
    public required ImmutableArray<EventTime> WaitingSince { get; init; }

    /// <summary>Whether <see cref="Ended"/>, <see cref="Running"/> and <see cref="WaitingSince"/> contain all items.</summary>
    public required bool KeptAll { get; init; }

    /// <summary>First and last moment at which the probe received events.</summary>
    public required EventSpan Listened { get; init; }
}
