namespace Tpwatch.Ledger;

/// <summary>
/// Workers that ended for idleness and are needed again soon (G15): each one created anew pays for one that was given up.
/// </summary>
sealed class TimeoutTracker
{
    /// <summary>Three times the 20 s that an idle worker lives: work that comes back later than that is another burst's.</summary>
    const double SoonMs = 60_000;

    /// <summary>More workers than a pool gives up within that time.</summary>
    const int Most = 1024;

    readonly Queue<EventTime> ended = new();

    /// <summary>A worker ended.</summary>
    public void Ended(EventTime at)
    {
        ended.Enqueue(at);
        if (ended.Count > Most)
        {
            ended.Dequeue();
        }
    }

    /// <summary>
    /// So many workers were created at a moment; the sentence for those that replace one that ended, or null when none does.
    /// </summary>
    public string? Replaced(EventTime at, int created)
    {
        while (ended.TryPeek(out var first) && at.MsSince(first) > SoonMs)
        {
            ended.Dequeue();
        }

        // A burst is told when it is over; who ended since was no part of what it replaced.
        var count = ended.TakeWhile(e => e < at).Take(created).Count();
        if (count == 0)
        {
            return null;
        }

        var oldest = ended.Peek();
        for (var i = 0; i < count; i++)
        {
            ended.Dequeue();
        }

        return $"{(count == 1 ? "An idle worker thread" : "Idle worker threads")} had ended in the "
            + $"{Format.Duration(at.MsSince(oldest))} before, so the pool had to add threads again.";
    }
}
