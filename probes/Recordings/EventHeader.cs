using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Tpwatch.Recordings;

/// <summary>
/// The header of an event in a block with compressed headers. Each header has only the differences from the previous header.
/// </summary>
struct EventHeader
{
    /// <summary>Length of a block's own header, bytes: this length, flags, and the times of the first and the last event.</summary>
    public const short BlockHeaderBytes = 20;

    /// <summary>Flag in the header of a block: the headers of the events are compressed.</summary>
    public const short Compressed = 1;

    /// <summary>The fields that a compressed header contains; other fields keep the values of the previous header.</summary>
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

    /// <summary>Id of the event's description in a metadata block; 0 if the event is itself a description.</summary>
    public int Kind;

    /// <summary>Sequence number of the event, counted per writing thread.</summary>
    public uint Sequence;

    /// <summary>Id of the thread that wrote the event.</summary>
    public long Capture;

    /// <summary>Id of the thread that the event describes.</summary>
    public long Thread;

    /// <summary>Time of the event, ticks of the stream's clock.</summary>
    public long Time;

    public Guid Activity;

    public Guid RelatedActivity;

    /// <summary>Whether no later event of the stream has an earlier time.</summary>
    public bool Sorted;

    /// <summary>Number of payload bytes after the header.</summary>
    public int Length;

    /// <summary>Returns a cursor at the first event of a block of events or metadata.</summary>
    public static BlockReader FirstOf(ReadOnlySpan<byte> content)
    {
        BlockReader cursor = new(content);
        var length = cursor.Int16();
        if (length < BlockHeaderBytes || (cursor.Int16() & Compressed) == 0)
        {
            throw new UnsupportedTraceException("a block whose headers are not compressed");
        }

        cursor.Take(length - 2 * sizeof(short));
        return cursor;
    }

    /// <summary>Reads the next header. Before the call, this struct contains the previous header, or zeros for the first event.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Read(ref BlockReader cursor)
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
    void ReadRest(ref BlockReader cursor, Says says)
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

/// <summary>Reads a block from front to back; throws <see cref="UnsupportedTraceException"/> for a read beyond the block's end.</summary>
ref struct BlockReader(ReadOnlySpan<byte> bytes)
{
    const int LowBits = 0x7F;
    const int BitsAByte = 7;
    const int LongestNumber = 10;
    const int LongestNumber32 = 5;

    readonly ReadOnlySpan<byte> bytes = bytes;
    int at;

    public readonly bool AtEnd => at >= bytes.Length;

    public readonly int Left => bytes.Length - at;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte Byte() => (uint)at < (uint)bytes.Length ? bytes[at++] : throw Short();

    /// <summary>Reads a variable-length number of up to 64 bits: groups of seven bits, lowest group first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Number()
    {
        var first = Byte();
        return first <= LowBits ? first : Rest(first, LongestNumber);
    }

    /// <summary>Reads a variable-length number of up to 32 bits; throws if the number is larger.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint Number32()
    {
        var first = Byte();
        return first <= LowBits ? first : Fitting(Rest(first, LongestNumber32));
    }

    public short Int16() => BinaryPrimitives.ReadInt16LittleEndian(Take(sizeof(short)));

    public int Int32() => BinaryPrimitives.ReadInt32LittleEndian(Take(sizeof(int)));

    public long Int64() => BinaryPrimitives.ReadInt64LittleEndian(Take(sizeof(long)));

    public Guid Identity() => new(Take(16));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Take(int count)
    {
        if ((uint)count > (uint)(bytes.Length - at))
        {
            throw Short();
        }

        var taken = bytes.Slice(at, count);
        at += count;
        return taken;
    }

    ulong Rest(ulong value, int longest)
    {
        value &= LowBits;
        for (var group = 1; group < longest; group++)
        {
            var next = Byte();
            value |= (ulong)(next & LowBits) << (group * BitsAByte);
            if (next <= LowBits)
            {
                return value;
            }
        }

        throw new UnsupportedTraceException("a number without an end");
    }

    static uint Fitting(ulong value) => value <= uint.MaxValue ? (uint)value : throw new UnsupportedTraceException("a number too large");

    static UnsupportedTraceException Short() => new("a block shorter than what it holds");
}
