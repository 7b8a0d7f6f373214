namespace Tpwatch.Recordings;

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

    Waiting[] held = new Waiting[Least];
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
        held = held.Length > Most ? new Waiting[Least] : held;
    }

    void MakeRoom()
    {
        var count = Count;
        if (count > held.Length / 2)
        {
            Array.Resize(ref held, held.Length * 2);
        }

        Array.Copy(held, first, held, 0, count);
        (first, end) = (0, count);
    }
}
