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

/// <summary>The items that waited longest.</summary>
sealed class SlowestItems
{
    /// <summary>More than a screen shows.</summary>
    const int Most = 20;

    readonly List<MeasuredItem> kept = [];

    public void Add(in MeasuredItem item)
    {
        if (kept.Count == Most && item.WaitMs <= kept[^1].WaitMs)
        {
            return;
        }

        var wait = item.WaitMs;
        var place = kept.FindIndex(k => k.WaitMs < wait);
        kept.Insert(place < 0 ? kept.Count : place, item);
        if (kept.Count > Most)
        {
            kept.RemoveAt(Most);
        }
    }

    /// <summary>Those that ended and those that still run.</summary>
    public ImmutableArray<MeasuredItem> Snapshot(IEnumerable<MeasuredItem> running) =>
        [.. kept.Concat(running).OrderByDescending(i => i.WaitMs).ThenBy(i => i.Taken).Take(Most)];
}

/// <summary>
/// Items that were queued and not yet taken, first in first out by their id: ids are hashes, so the same object comes again and two may
/// share one. Nodes lie in one array and are used again, so that nothing is allocated once it has its size.
/// </summary>
sealed class WaitingItems
{
    /// <summary>48 MB at most; items beyond are counted and not followed.</summary>
    const int Most = 1 << 20;

    const int None = -1;

    readonly Dictionary<long, (int First, int Last)> lines = [];
    Node[] nodes = new Node[256];
    int free = None;
    int used;

    /// <summary>Items that wait.</summary>
    public int Count { get; private set; }

    /// <summary>When each was queued, in no order.</summary>
    public IEnumerable<EventTime> Queued => lines.Values.SelectMany(line => Line(line.First));

    /// <summary>Whether it can be followed; too many wait otherwise.</summary>
    public bool Add(long id, EventTime at)
    {
        if (Count == Most)
        {
            return false;
        }

        var node = Take(at);
        if (lines.TryGetValue(id, out var line))
        {
            nodes[line.Last].Next = node;
            lines[id] = (line.First, node);
        }
        else
        {
            lines[id] = (node, node);
        }

        Count++;
        return true;
    }

    /// <summary>When the first of that id was queued; null when none is known.</summary>
    public EventTime? Remove(long id)
    {
        if (!lines.TryGetValue(id, out var line))
        {
            return null;
        }

        var (at, next) = (nodes[line.First].At, nodes[line.First].Next);
        if (next == None)
        {
            lines.Remove(id);
        }
        else
        {
            lines[id] = (next, line.Last);
        }

        GiveBack(line.First);
        return at;
    }

    /// <summary>Hands those queued before a moment to others.</summary>
    public void MoveBefore(EventTime moment, WaitingItems to)
    {
        foreach (var id in lines.Keys.Where(id => nodes[lines[id].First].At < moment).ToArray())
        {
            while (lines.TryGetValue(id, out var line) && nodes[line.First].At < moment)
            {
                to.Add(id, nodes[line.First].At);
                Remove(id);
            }
        }
    }

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        lines.Clear();
        (free, used, Count) = (None, 0, 0);
    }

    IEnumerable<EventTime> Line(int node)
    {
        for (var at = node; at != None; at = nodes[at].Next)
        {
            yield return nodes[at].At;
        }
    }

    int Take(EventTime at)
    {
        var node = free;
        if (node == None)
        {
            node = used++;
            if (node == nodes.Length)
            {
                Array.Resize(ref nodes, nodes.Length * 2);
            }
        }
        else
        {
            free = nodes[node].Next;
        }

        nodes[node] = new Node { At = at, Next = None };
        return node;
    }

    void GiveBack(int node)
    {
        nodes[node].Next = free;
        free = node;
        Count--;
    }

    struct Node
    {
        public EventTime At;
        public int Next;
    }
}
