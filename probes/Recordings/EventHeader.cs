using System.Runtime.CompilerServices;

namespace Tpwatch.Recordings;

/// <summary>
/// The header of an event in a block with compressed headers, which contain only the differences from the previous header.
/// </summary>
struct EventHeader
{
    [Flags]
    enum Says : byte
    {
        Kind = 1,
        Capture = 2,
        Thread = 4,
        Stack = 8,
        Activity = 16,
        RelatedActivity = 32,
        Sorted = 64,
        Length = 128,
    }

    /// <summary>The id of the event's description; 0 for a description itself.</summary>
    public int Kind;

    /// <summary>Sequence number of the event, counted per writing thread.</summary>
    public uint Sequence;

    /// <summary>The thread that wrote the event.</summary>
    public long Capture;

    /// <summary>The thread that the event describes.</summary>
    public long Thread;

    /// <summary>Time of the event, ticks of the stream's clock.</summary>
    public long Time;

    public Guid Activity;

    public Guid RelatedActivity;

    /// <summary>Whether all later events are at least as new.</summary>
    public bool Sorted;

    /// <summary>Number of payload bytes after the header.</summary>
    public int Length;

    /// <summary>Reads the next header; before the call, this one contains the header of the previous event.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Read(ref Cursor cursor)
    {
        var says = (Says)cursor.Byte();
        if ((says & Says.Kind) != 0)
        {
            Kind = unchecked((int)cursor.Number32());
        }

        if ((says & Says.Capture) != 0)
        {
            Sequence += cursor.Number32() + 1;
            Capture = unchecked((long)cursor.Number());
            cursor.Number32();
        }
        else if (Kind != 0)
        {
            Sequence++;
        }

        ReadRest(ref cursor, says);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void ReadRest(ref Cursor cursor, Says says)
    {
        if ((says & Says.Thread) != 0)
        {
            Thread = unchecked((long)cursor.Number());
        }

        if ((says & Says.Stack) != 0)
        {
            cursor.Number32();
        }

        Time += unchecked((long)cursor.Number());
        if ((says & (Says.Activity | Says.RelatedActivity)) != 0)
        {
            Activity = (says & Says.Activity) != 0 ? cursor.Identity() : Activity;
            RelatedActivity = (says & Says.RelatedActivity) != 0 ? cursor.Identity() : RelatedActivity;
        }

        Sorted = (says & Says.Sorted) != 0;
        if ((says & Says.Length) != 0)
        {
            Length = unchecked((int)cursor.Number32());
        }
    }
}

/// <summary>An event that a reader wants, with all the data that the reader can query, but without its stack.</summary>
readonly record struct KeptEvent(EventHeader Header, byte[] Payload);
