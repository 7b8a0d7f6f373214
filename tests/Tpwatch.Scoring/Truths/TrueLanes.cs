using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Scoring.Truths;

/// <summary>How many items waited and how many workers were held at a moment, by the fixture's own record.</summary>
sealed class TrueLanes
{
    readonly long[] queued;
    readonly long[] started;
    readonly double[] waits;
    readonly long[] ended;
    readonly long[] appeared;

    public TrueLanes(RunTruth truth)
    {
        queued = [.. truth.Items.Select(i => i.Enqueued).Order()];
        started = [.. truth.Starts().Select(i => i.Started!.Value)];
        waits = [.. truth.Starts().Select(i => (i.Started!.Value - i.Enqueued) / 1e6)];
        ended = [.. truth.Items.Select(i => i.Ended).OfType<long>().Order()];
        appeared = [.. truth.Starts().DistinctBy(i => i.OsThread ?? i.ManagedThread).Select(i => i.Started!.Value)];
    }

    /// <summary>Items that waited for a worker.</summary>
    public int WaitingAt(EventTime at) => UpTo(queued, at) - UpTo(started, at);

    /// <summary>Workers that had an item; of items that await it says nothing.</summary>
    public int BusyAt(EventTime at) => UpTo(started, at) - UpTo(ended, at);

    /// <summary>Workers that had taken an item by then, wherever they are now.</summary>
    public int AppearedBy(EventTime at) => UpTo(appeared, at);

    /// <summary>Items that began after one moment and not after another.</summary>
    public int StartsBetween(EventTime after, EventTime until) => UpTo(started, until) - UpTo(started, after);

    /// <summary>How long the item waited that began last, milliseconds; null where none has begun.</summary>
    public double? WaitOfLastStart(EventTime at) => UpTo(started, at) is > 0 and var begun ? waits[begun - 1] : null;

    /// <summary>How many of the ascending moments are not after one.</summary>
    static int UpTo(long[] moments, EventTime at)
    {
        var place = Array.BinarySearch(moments, at.Nanoseconds + 1);
        place = place < 0 ? ~place : place;
        while (place > 0 && moments[place - 1] > at.Nanoseconds)
        {
            place--;
        }

        return place;
    }
}
