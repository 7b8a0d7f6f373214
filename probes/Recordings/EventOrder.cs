namespace Tpwatch.Recordings;

/// <summary>
/// The order in which the library hands events out: threads write in blocks of their own, and events of all of them are merged by time up
/// to the last moment that is known to be complete. Of two events of one moment it must be the same one that comes first, so the tree is
/// kept in the same way: built over all threads that have something waiting, in the order in which they began to.
/// </summary>
sealed class EventOrder(Action<Waiting> next)
{
    readonly HashSet<WaitingEvents> active = [];
    readonly List<(long Time, WaitingEvents Events)> tree = [];
    readonly List<(long Time, WaitingEvents Events)> emptied = [];

    /// <summary>An event that cannot be handed out yet.</summary>
    public void Add(WaitingEvents events, in Waiting waiting)
    {
        if (events.Count == 0)
        {
            active.Add(events);
        }

        events.Add(waiting);
    }

    /// <summary>
    /// The newest of everything older than <paramref name="until"/>, which is gone then; null where it must be handed out one by one, since
    /// some of it is kept, a thread's events are not in the order of time, or which thread had its last turn first is not sure.
    /// </summary>
    public Waiting? PassOver(long until)
    {
        emptied.Clear();
        foreach (var events in active)
        {
            if (events.Kept > 0 || events.Newest.Time != events.Last.Time)
            {
                return null;
            }

            if (events.Newest.Time < until)
            {
                emptied.Add((events.Last.Time, events));
            }
        }

        return InOrder() ? Newest(until) : null;
    }

    /// <summary>Hands out everything older than <paramref name="until"/>.</summary>
    public void HandOut(long until)
    {
        Build(until);
        while (tree.Count > 0)
        {
            var events = tree[0].Events;
            next(events.Take());
            if (events.Count > 0 && events.First.Time is var following && following < until)
            {
                tree[0] = (following, events);
                Settle(0);
                continue;
            }

            if (events.Count == 0)
            {
                active.Remove(events);
            }

            RemoveFirst();
        }
    }

    /// <summary>Puts those that are empty afterwards in the order of their last events; false where two of these have one moment.</summary>
    bool InOrder()
    {
        if (emptied.Count > 1)
        {
            emptied.Sort(static (one, other) => one.Time.CompareTo(other.Time));
            for (var i = 1; i < emptied.Count; i++)
            {
                if (emptied[i].Time == emptied[i - 1].Time)
                {
                    return false;
                }
            }
        }

        return true;
    }

    Waiting Newest(long until)
    {
        Waiting newest = new(long.MinValue, 0, -1);
        foreach (var (_, events) in emptied)
        {
            newest = events.Newest.Time > newest.Time ? events.Newest : newest;
            events.Clear();
            active.Remove(events);
        }

        foreach (var events in active)
        {
            while (events.First.Time < until)
            {
                var passed = events.Take();
                newest = passed.Time > newest.Time ? passed : newest;
            }
        }

        return newest;
    }

    void Build(long until)
    {
        tree.Clear();
        foreach (var events in active)
        {
            if (events.First.Time < until)
            {
                tree.Add((events.First.Time, events));
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
