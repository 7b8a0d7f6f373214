namespace Tpwatch.Recordings;

/// <summary>An event that waits for its turn.</summary>
/// <param name="Time">Ticks of the stream's clock.</param>
/// <param name="Kind">The id of its description.</param>
/// <param name="Kept">Where it stands among those that are kept; negative is left out.</param>
readonly record struct Waiting(long Time, int Kind, int Kept);

/// <summary>The events of a thread that wait for their turn, in the order in which it wrote them.</summary>
sealed class WaitingEvents
{
    const int Least = 64;

    /// <summary>Threads come and go; one that wrote a great deal once does not keep the room for it.</summary>
    const int Most = 1 << 16;

    Waiting[] held = new Waiting[Least];
    int first;
    int end;

    /// <summary>The newest of them; ticks. Of those that were there since it was empty.</summary>
    public Waiting Newest { get; private set; } = new(long.MinValue, 0, -1);

    public int Count => end - first;

    /// <summary>Of those the ones that are kept.</summary>
    public int Kept { get; private set; }

    /// <summary>The next one; there must be one.</summary>
    public ref readonly Waiting First => ref held[first];

    /// <summary>The last one; there must be one.</summary>
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
