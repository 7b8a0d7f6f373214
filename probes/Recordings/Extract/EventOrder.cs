namespace Tpwatch.Recordings.Extract;

/// <summary>
/// The order in which the library hands events out: threads write in blocks of their own, and events of all of them are merged by time up to
/// the last moment that is known to be complete. Of two events of one moment it must be the same one that comes first, so the tree is kept
/// in the same way: built over all threads that have something waiting, in the order in which they began to.
/// </summary>
sealed class EventOrder(Action<Waiting> next)
{
    readonly HashSet<Queue<Waiting>> active = [];
    readonly List<(long Time, Queue<Waiting> Events)> tree = [];

    /// <summary>An event that cannot be handed out yet.</summary>
    public void Add(Queue<Waiting> events, Waiting waiting)
    {
        if (events.Count == 0)
        {
            active.Add(events);
        }

        events.Enqueue(waiting);
    }

    /// <summary>Hands out everything older than <paramref name="until"/>.</summary>
    public void HandOut(long until)
    {
        Build(until);
        while (tree.Count > 0)
        {
            var events = tree[0].Events;
            next(events.Dequeue());
            if (events.TryPeek(out var following) && following.Time < until)
            {
                tree[0] = (following.Time, events);
                Settle(0);
                continue;
            }

            if (events.Count == 0)
            {
                active.Remove(events);
                events.TrimExcess();
            }

            RemoveFirst();
        }
    }

    void Build(long until)
    {
        tree.Clear();
        foreach (var events in active)
        {
            if (events.TryPeek(out var first) && first.Time < until)
            {
                tree.Add((first.Time, events));
            }
        }

        for (var i = tree.Count / 2 - 1; i >= 0; i--)
        {
            Settle(i);
        }
    }

    void RemoveFirst()
    {
        tree[0] = tree[^1];
        tree.RemoveAt(tree.Count - 1);
        if (tree.Count > 0)
        {
            Settle(0);
        }
    }

    void Settle(int at)
    {
        while (true)
        {
            var (left, right, least) = (2 * at + 1, 2 * at + 2, at);
            least = left < tree.Count && tree[left].Time < tree[least].Time ? left : least;
            least = right < tree.Count && tree[right].Time < tree[least].Time ? right : least;
            if (least == at)
            {
                return;
            }

            (tree[at], tree[least]) = (tree[least], tree[at]);
            at = least;
        }
    }
}
