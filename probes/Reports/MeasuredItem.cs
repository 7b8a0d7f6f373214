namespace Tpwatch.Reports;

/// <summary>An item of which queued and taken were seen.</summary>
/// <param name="Queued">When it was queued.</param>
/// <param name="Taken">When a worker took it.</param>
/// <param name="Ended">When it gave its worker back; null while it runs, or when that was not seen.</param>
/// <param name="ThreadId">OS id of the worker.</param>
/// <param name="Id">The runtime's hash of it.</param>
/// <param name="ByNewWorker">Whether it was the first item of a worker just created.</param>
readonly record struct MeasuredItem(EventTime Queued, EventTime Taken, EventTime? Ended, int ThreadId, long Id, bool ByNewWorker)
{
    /// <summary>Queue delay, milliseconds.</summary>
    public double WaitMs => Math.Max(0, Taken.MsSince(Queued));
}

/// <summary>What the items probe has seen up to one moment; immutable.</summary>
sealed record ItemSnapshot
{
    public required ImmutableArray<ItemSlice> Slices { get; init; }

    /// <summary>Items of which only one end was seen: queued before the session, inlined into a wait, lost.</summary>
    public required long Unmatched { get; init; }

    /// <summary>Items taken whose end was not seen and will not be.</summary>
    public required long EndUnseen { get; init; }

    /// <summary>Items queued and not taken yet.</summary>
    public required int Waiting { get; init; }

    /// <summary>Whether those are all that wait: the queue was empty once since the probe began to listen, or lost sight.</summary>
    public required bool KnowsWaiting { get; init; }

    /// <summary>When the oldest of them was queued; null when none waits or there are too many.</summary>
    public EventTime? OldestWaiting => WaitingSince is [var oldest, ..] ? oldest : null;

    /// <summary>The items that waited longest, the longest first.</summary>
    public required ImmutableArray<MeasuredItem> Slowest { get; init; }

    /// <summary>The first items that ended, in that order; see <see cref="KeptAll"/>.</summary>
    public required ReadOnlyMemory<MeasuredItem> Ended { get; init; }

    /// <summary>Items that run now.</summary>
    public required ImmutableArray<MeasuredItem> Running { get; init; }

    /// <summary>When those that wait were queued, the oldest first; empty when there are too many.</summary>
    public required ImmutableArray<EventTime> WaitingSince { get; init; }

    /// <summary>Whether <see cref="Ended"/>, <see cref="Running"/> and <see cref="WaitingSince"/> are all items there were.</summary>
    public required bool KeptAll { get; init; }

    /// <summary>First and last moment at which the probe listened.</summary>
    public required EventSpan Listened { get; init; }
}
