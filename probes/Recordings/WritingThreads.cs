namespace Tpwatch.Recordings;

/// <summary>A thread that wrote events, and those of its events that have not been handed out yet.</summary>
sealed class WritingThread(uint sequence)
{
    /// <summary>Sequence number of its last event.</summary>
    public uint Sequence { get; set; } = sequence;

    /// <summary>Time of its last event, ticks of the stream's clock.</summary>
    public long LastTime { get; set; }

    /// <summary>Its events that have not been handed out.</summary>
    public WaitingEvents Events { get; } = new();
}

/// <summary>
/// The threads that wrote events, as the library tracks them: at most 5 000, and a new one replaces the one whose last event is oldest.
/// After that, losses of the removed thread are no longer detected, so this class must remove the same thread as the library. Each thread
/// numbers its events from 1, and a missing number is a loss; the kernel reuses the id of an ended thread, and the numbers then restart.
/// </summary>
sealed class WritingThreads
{
    const int Most = 5_000;

    readonly Dictionary<long, WritingThread> threads = [];

    /// <summary>Number of lost events so far.</summary>
    public long Lost { get; private set; }

    /// <summary>Records the sequence number of the next event of a thread.</summary>
    public void Wrote(WritingThread thread, uint number)
    {
        Missed(thread, number - 1);
        thread.Sequence = number;
    }

    /// <summary>
    /// Processes a sequence point, which has the number of the last event for each thread. It can list both an ended thread and the one
    /// that reuses its id; the known number changes only if all numbers for the id are larger.
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

    // A thread for which a sequence point reported no events may be a new one at its next event, so no loss is counted then.
    void Missed(WritingThread thread, uint before)
    {
        if (thread.Sequence != 0 && before > thread.Sequence)
        {
            Lost += before - thread.Sequence;
        }
    }

    /// <summary>The thread with this id; a thread that is not known yet starts with <paramref name="sequence"/> events written.</summary>
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

/// <summary>An event that has not been handed out yet.</summary>
/// <param name="Time">Ticks of the stream's clock.</param>
/// <param name="Kind">The id of the event's description.</param>
/// <param name="Kept">Index of the event among the kept ones; negative if the event is left out.</param>
readonly record struct Waiting(long Time, int Kind, int Kept);

/// <summary>A thread's events that have not been handed out yet, in the order in which the thread wrote them.</summary>
sealed class WaitingEvents
{
    const int Least = 64;

    /// <summary>
    /// Capacity above which the buffer shrinks when it is empty: threads that wrote many events once do not keep the memory.
    /// </summary>
    const int Most = 1 << 16;

    // Empty until the first event: a reader that only counts losses has thousands of threads and no waiting event.
    Waiting[] held = [];
    int first;
    int end;

    /// <summary>The event with the latest time among those added since the queue was last empty.</summary>
    public Waiting Newest { get; private set; } = new(long.MinValue, 0, -1);

    public int Count => end - first;

    /// <summary>Number of waiting events that are kept.</summary>
    public int Kept { get; private set; }

    /// <summary>The first waiting event; the queue must not be empty.</summary>
    public ref readonly Waiting First => ref held[first];

    /// <summary>The last waiting event; the queue must not be empty.</summary>
    public ref readonly Waiting Last => ref held[end - 1];

    public void Add(in Waiting waiting)
    {
        if (end == held.Length)
        {
            MakeRoom();
        }

        held[end++] = waiting;
        Kept += waiting.Kept >= 0 ? 1 : 0;
        if (waiting.Time > Newest.Time)
        {
            Newest = waiting;
        }
    }

    public Waiting Take()
    {
        var taken = held[first++];
        Kept -= taken.Kept >= 0 ? 1 : 0;
        if (first == end)
        {
            Clear();
        }

        return taken;
    }

    public void Clear()
    {
        (first, end, Kept, Newest) = (0, 0, 0, new(long.MinValue, 0, -1));
        held = held.Length > Most ? [] : held;
    }

    void MakeRoom()
    {
        var count = Count;
        if (count >= held.Length / 2)
        {
            Array.Resize(ref held, Math.Max(Least, held.Length * 2));
        }

        Array.Copy(held, first, held, 0, count);
        (first, end) = (0, count);
    }
}
