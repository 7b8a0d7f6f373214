namespace Tpwatch.Recordings;

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
/// one. Of a thread that went nothing is known to be lost any more, so the same one must go here. Each thread numbers its events from 1,
/// and a gap is a loss; the kernel gives the id of a thread that has ended to another one, whose numbers begin anew.
/// </summary>
sealed class WritingThreads
{
    const int Most = 5_000;

    readonly Dictionary<long, WritingThread> threads = [];

    /// <summary>Events lost so far.</summary>
    public long Lost { get; private set; }

    /// <summary>Takes the number of the next event of a thread.</summary>
    public void Wrote(WritingThread thread, uint number)
    {
        Missed(thread, number - 1);
        thread.Sequence = number;
    }

    /// <summary>
    /// Takes what a sequence point says of each thread, the number of its last event. An ended thread is still among them, and the one that
    /// has its id now is, too: what is known of it stands unless all of them say more.
    /// </summary>
    public void Point(ReadOnlySpan<byte> content)
    {
        var cursor = new Cursor(content);
        cursor.Int64();
        var count = cursor.Int32();
        List<(long Id, uint Number)> told = [];
        for (var i = 0; i < count; i++)
        {
            told.Add((cursor.Int64(), unchecked((uint)cursor.Int32())));
        }

        foreach (var ofId in told.GroupBy(one => one.Id, one => one.Number))
        {
            var thread = Of(ofId.Key, ofId.Min());
            if (ofId.All(number => number > thread.Sequence))
            {
                Missed(thread, ofId.Min());
                thread.Sequence = ofId.Min();
            }
        }
    }

    // A thread of which a sequence point told that it has written nothing may be new by its next event.
    void Missed(WritingThread thread, uint before)
    {
        if (thread.Sequence != 0 && before > thread.Sequence)
        {
            Lost += before - thread.Sequence;
        }
    }

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
