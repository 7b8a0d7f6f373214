namespace Tpwatch.Items;

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
