using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Items;

/// <summary>
/// Pairs the moments at which items were queued, taken and over. The runtime has no event for the end of an item: it is over when its
/// worker takes the next one, goes to sleep or ends.
/// </summary>
sealed class ItemTracker
{
    /// <summary>More cannot be imagined one by one by a what-if.</summary>
    public const int MostKept = 50_000;

    /// <summary>More are not copied into a snapshot.</summary>
    const int MostWaiting = 20_000;

    /// <summary>A worker that was created for waiting work takes its first item within this, milliseconds.</summary>
    const double NewWorkerMs = 50;

    /// <summary>The counters of one heartbeat are read 0.1 ms apart; a busy machine takes hundreds of times that.</summary>
    const double ReadingMs = 20;

    readonly WaitingItems waiting = new();
    readonly WaitingItems passedOver = new();
    readonly SliceTracker slices = new();
    readonly SlowestItems slowest = new();
    readonly Dictionary<int, MeasuredItem> running = [];
    readonly Dictionary<int, EventTime> born = [];
    MeasuredItem[] ended = new MeasuredItem[1024];
    int endedCount;
    long unmatched;
    long endUnseen;
    bool keptAll = true;
    bool knowsWaiting;
    EventTime? first;
    EventTime last;

    public void Queued(in ItemQueued fact)
    {
        See(fact.At);
        if (!waiting.Add(fact.Id, fact.At))
        {
            unmatched++;
            (keptAll, knowsWaiting) = (false, false);
        }
    }

    public void Taken(in ItemTaken fact)
    {
        See(fact.At);
        End(fact.ThreadId, fact.At);
        if ((waiting.Remove(fact.Id) ?? passedOver.Remove(fact.Id)) is not { } queued)
        {
            // Queued before the session began, as a rule.
            unmatched++;
            knowsWaiting = false;
            return;
        }

        var isNew = born.Remove(fact.ThreadId, out var birth) && fact.At.MsSince(birth) <= NewWorkerMs;
        var item = new MeasuredItem(queued, fact.At, null, fact.ThreadId, fact.Id, isNew);
        slices.Waited(fact.At, fact.At.Nanoseconds - queued.Nanoseconds);
        running[fact.ThreadId] = item;
    }

    public void WorkerBorn(EventTime at, int thread)
    {
        See(at);
        born[thread] = at;
    }

    /// <summary>A worker has nothing to do, or is gone: its last item is over.</summary>
    public void WorkerIdle(EventTime at, int thread)
    {
        See(at);
        born.Remove(thread);
        End(thread, at);
    }

    /// <summary>The stream has come so far, whether or not there were items.</summary>
    public void Listened(EventTime at) => See(at);

    /// <summary>
    /// Nothing is queued at that moment: whatever seems to wait was run by somebody else, such as a thread that waited for it. A machine
    /// that holds up the one who reads the queue makes the moment older than it says: until the next one, such an item can still be taken.
    /// </summary>
    public void QueueEmpty(EventTime at)
    {
        See(at);
        unmatched += passedOver.Count;
        passedOver.Clear();
        waiting.MoveBefore(at.PlusMs(-ReadingMs), passedOver);
        knowsWaiting = true;
    }

    /// <summary>Events were lost: what waits and what runs cannot be paired any more.</summary>
    public void Lost(EventTime at)
    {
        See(at);
        unmatched += waiting.Count + passedOver.Count;
        endUnseen += running.Count;
        waiting.Clear();
        passedOver.Clear();
        running.Clear();
        born.Clear();
        (keptAll, knowsWaiting) = (false, false);
    }

    public ItemSnapshot Snapshot()
    {
        var many = waiting.Count > MostWaiting;
        return new()
        {
            Slices = slices.Snapshot(),
            Unmatched = unmatched + passedOver.Count,
            EndUnseen = endUnseen,
            Waiting = waiting.Count,
            KnowsWaiting = knowsWaiting,
            Slowest = slowest.Snapshot(running.Values),
            Ended = ended.AsMemory(0, endedCount),
            Running = [.. running.Values],
            WaitingSince = many ? [] : [.. waiting.Queued.Order()],
            KeptAll = keptAll && !many,
            Listened = new(first ?? last, last),
        };
    }

    void End(int thread, EventTime at)
    {
        if (!running.Remove(thread, out var item))
        {
            return;
        }

        slices.Ran(at, at.Nanoseconds - item.Taken.Nanoseconds);
        item = item with { Ended = at };
        slowest.Add(item);
        Keep(item);
    }

    // Published parts of the array are never written again; a larger one takes its place.
    void Keep(in MeasuredItem item)
    {
        if (endedCount == MostKept)
        {
            keptAll = false;
            return;
        }

        if (endedCount == ended.Length)
        {
            Array.Resize(ref ended, Math.Min(MostKept, ended.Length * 2));
        }

        ended[endedCount++] = item;
    }

    void See(EventTime at)
    {
        first ??= at;
        last = at > last ? at : last;
    }
}
