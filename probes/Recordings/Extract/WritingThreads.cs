namespace Tpwatch.Recordings.Extract;

/// <summary>A thread that wrote events, and those of them that wait for their turn.</summary>
sealed class WritingThread(uint sequence)
{
    /// <summary>The number of its last event.</summary>
    public uint Sequence { get; set; } = sequence;

    /// <summary>When it wrote last; ticks.</summary>
    public long LastTime { get; set; }

    /// <summary>What it wrote and has not been handed out.</summary>
    public WaitingEvents Events { get; } = new();
}

/// <summary>
/// The threads that wrote events, as the library keeps them: at most 5 000, and the one that has been silent for longest goes for a new
/// one. Of a thread that went nothing is known to be lost any more, so the same one must go here.
/// </summary>
sealed class WritingThreads
{
    const int Most = 5_000;

    readonly Dictionary<long, WritingThread> threads = [];

    /// <summary>The thread of an id; a new one has written so many events.</summary>
    public WritingThread Of(long id, uint sequence)
    {
        if (threads.TryGetValue(id, out var thread))
        {
            return thread;
        }

        if (threads.Count >= Most)
        {
            RemoveOldest();
        }

        return threads[id] = new(sequence);
    }

    void RemoveOldest()
    {
        var (oldest, time) = (0L, long.MaxValue);
        foreach (var (id, thread) in threads)
        {
            if (thread.LastTime < time)
            {
                (oldest, time) = (id, thread.LastTime);
            }
        }

        threads.Remove(oldest);
    }
}
