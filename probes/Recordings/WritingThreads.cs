namespace Tpwatch.Recordings;

/// <summary>A thread that wrote events, and its events that wait to be handed out in time order.</summary>
sealed class ThreadEvents(uint sequence)
{
    /// <summary>Sequence number of the thread's last event.</summary>
    public uint Sequence { get; set; } = sequence;

    /// <summary>Time of the thread's last event, ticks of the stream's clock.</summary>
    public long LastTime { get; set; }

    public PendingEventQueue Events { get; } = new();
}

/// <summary>
/// The threads that wrote events, and the number of lost events. Each thread numbers its events from 1, so a missing number is a loss. The
/// numbers restart when a new thread reuses the id of an ended thread. The TraceEvent library tracks at most 5 000 threads: above this
/// number, a new thread replaces the thread whose last event is the oldest. This class removes the same threads. Like the library, it
/// detects no loss of a removed thread.
/// </summary>
sealed class EventSequenceTracker
{
    const int Most = 5_000;

    /// <summary>Maximum number of threads in a sequence point, more than a process has. A damaged stream could claim millions.</summary>
    const int MostListed = 65_536;

    readonly Dictionary<long, ThreadEvents> threads = [];

    public long Lost { get; private set; }

    /// <summary>Records the sequence number of a thread's next event, and counts the events lost before it.</summary>
    public void Wrote(ThreadEvents thread, uint number)
    {
        Missed(thread, number - 1);
        thread.Sequence = number;
    }

    /// <summary>
    /// Processes a sequence point, which lists the number of each thread's last event. An id can be listed twice: for an ended thread and
    /// for a new one. If all numbers listed for an id are larger than the known number, the smallest of them replaces it.
    /// </summary>
    public void Point(ReadOnlySpan<byte> content)
    {
        var cursor = new BlockReader(content);
        cursor.Int64();
        var count = cursor.Int32();
        if (count > MostListed)
        {
            throw new UnsupportedTraceException("a sequence point with too many threads");
        }

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

    // Counts no loss for a thread without events so far: after a sequence point, its id may belong to a new thread.
    void Missed(ThreadEvents thread, uint before)
    {
        if (thread.Sequence != 0 && before > thread.Sequence)
        {
            Lost += before - thread.Sequence;
        }
    }

    /// <summary>Returns the thread with an id; adds an unknown thread with <paramref name="sequence"/> as its last number.</summary>
    public ThreadEvents Of(long id, uint sequence)
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

/// <summary>An event that waits to be handed out.</summary>
/// <param name="Time">Ticks of the stream's clock.</param>
/// <param name="Kind">The id of the event's description.</param>
/// <param name="Kept">Index of the event among those that the extract of a recording keeps; negative if the event is left out.</param>
readonly record struct PendingEvent(long Time, int Kind, int Kept);

/// <summary>A thread's events that wait to be handed out, in the order in which the thread wrote them.</summary>
sealed class PendingEventQueue
{
    const int Least = 64;

    /// <summary>Capacity above which an empty buffer is released: a thread that once wrote many events does not keep the memory.</summary>
    const int Most = 1 << 16;

    // Has no capacity before the first event: the tracker may have thousands of threads without waiting events.
    PendingEvent[] held = [];
    int first;
    int end;

    /// <summary>The event with the latest time among the events added since the queue was last empty.</summary>
    public PendingEvent Newest { get; private set; } = new(long.MinValue, 0, -1);

    public int Count => end - first;

    /// <summary>Number of waiting events that the extract of a recording keeps.</summary>
    public int Kept { get; private set; }

    /// <summary>The first waiting event; the queue must not be empty.</summary>
    public ref readonly PendingEvent First => ref held[first];

    /// <summary>The last waiting event; the queue must not be empty.</summary>
    public ref readonly PendingEvent Last => ref held[end - 1];

    public void Add(in PendingEvent waiting)
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

    public PendingEvent Take()
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
