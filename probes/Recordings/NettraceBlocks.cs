using System.Buffers.Binary;

namespace Tpwatch.Recordings;

enum NettraceBlockKind
{
    /// <summary>A type that this reader does not know.</summary>
    Other,

    /// <summary>The bytes before the first block: <see cref="TraceHeader"/>.</summary>
    Header,

    Events,

    /// <summary>Descriptions of events, without which later blocks cannot be read.</summary>
    Metadata,

    Stacks,

    /// <summary>The time up to which no event is missing in the stream, and how many events each thread has written.</summary>
    SequencePoint,
}

/// <summary>A complete block of a stream.</summary>
/// <param name="kind">The type.</param>
/// <param name="head">The bytes before the size, from the tag that begins the object to the tag that ends its type.</param>
/// <param name="content">The content without the padding before it.</param>
readonly ref struct NettraceBlock(NettraceBlockKind kind, byte[] head, ReadOnlySpan<byte> content)
{
    public NettraceBlockKind Kind { get; } = kind;

    /// <summary>The bytes before the size; successive blocks of one type share this array.</summary>
    public byte[] Head { get; } = head;

    /// <summary>The content; valid until the reader takes more bytes.</summary>
    public ReadOnlySpan<byte> Content { get; } = content;
}

/// <summary>
/// Reads the blocks of a nettrace stream that arrives in pieces. Supports format 4, which every runtime since .NET 5 writes. After any
/// other data, <see cref="Defect"/> is set and no further block is found.
/// </summary>
/// <param name="room">Initial size of the buffer, bytes: small, because `serve` has a buffer per process, but large enough for most batches
/// of events.</param>
sealed class NettraceBlocks(int room = 1 << 12)
{
    /// <summary>The tag that ends the stream; inside an object, the same tag means that the type has no base type.</summary>
    public const byte NullReference = 1;

    /// <summary>
    /// Maximum size of a block, bytes; larger data is not a block. Blocks of a live session have up to 100 kB, and metadata of a large
    /// program has some megabytes.
    /// </summary>
    const int LongestBlock = 64 << 20;

    const int LongestName = 64;
    const int Alignment = 4;
    const byte BeginObject = 5;
    const byte EndObject = 6;

    /// <summary>Bytes before a type's name: two begin tags, one tag for no base type, two versions, and the length of the name.</summary>
    const int BeforeName = 3 + 3 * sizeof(int);

    byte[] held = new byte[room];
    int start;
    int end;
    bool begun;
    byte[] newestHead = [];
    NettraceBlockKind newestKind;

    /// <summary>Description of the data that cannot be read, as a part of a sentence; null if there is no such data.</summary>
    public string? Defect { get; private set; }

    /// <summary>Whether the stream ended with its end mark.</summary>
    public bool Ended { get; private set; }

    /// <summary>Number of bytes of the stream up to the end of the newest complete block.</summary>
    public long Passed { get; private set; }

    /// <summary>Whether all bytes so far belong to complete blocks.</summary>
    public bool IsBetweenBlocks => begun && !Ended && start == end && Defect is null;

    /// <summary>Whether the next block is complete except for its end tag.</summary>
    public bool LacksOnlyEnd { get; private set; }

    /// <summary>Returns the bytes before the size of a block, as a runtime writes them.</summary>
    public static byte[] Head(ReadOnlySpan<byte> name) =>
        [BeginObject, BeginObject, NullReference, 2, 0, 0, 0, 2, 0, 0, 0, (byte)name.Length, 0, 0, 0, .. name, EndObject];

    /// <summary>Writes a block at <paramref name="position"/> of a stream; returns the position after it.</summary>
    public static long Write(Stream output, long position, ReadOnlySpan<byte> head, ReadOnlySpan<byte> content)
    {
        Span<byte> size = stackalloc byte[sizeof(int) + Padding(position + head.Length + sizeof(int))];
        size.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(size, content.Length);
        output.Write(head);
        output.Write(size);
        output.Write(content);
        output.WriteByte(EndObject);
        return position + head.Length + size.Length + content.Length + 1;
    }

    /// <summary>
    /// Number of padding bytes before the content of a block, which starts at a multiple of four from the start of the stream.
    /// </summary>
    public static int Padding(long position) => (int)((Alignment - position % Alignment) % Alignment);

    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (Defect is null && !Ended)
        {
            bytes.CopyTo(Room(bytes.Length));
            end += bytes.Length;
        }
    }

    /// <summary>Reads the next bytes from a source; returns whether there were any.</summary>
    public bool Append(Stream source)
    {
        var count = source.Read(Room(1));
        end += count;
        return count > 0;
    }

    /// <summary>Gets the next complete block; returns false if the bytes so far contain none, or if the data cannot be read.</summary>
    public bool TryNext(out NettraceBlock block)
    {
        block = default;
        LacksOnlyEnd = false;
        var rest = held.AsSpan(start, end - start);
        var length = rest.IsEmpty || Ended ? 0 : begun ? Block(rest, out block) : Header(rest, out block);
        (start, Passed) = (start + length, Passed + length);
        return length > 0;
    }

    Span<byte> Room(int least)
    {
        held.AsSpan(start, end - start).CopyTo(held);
        (start, end) = (0, end - start);
        if (end + least > held.Length)
        {
            Array.Resize(ref held, Math.Max(held.Length * 2, end + least));
        }

        return held.AsSpan(end);
    }

    int Header(ReadOnlySpan<byte> rest, out NettraceBlock block)
    {
        block = default;
        if (rest.Length < TraceHeader.Length)
        {
            return 0;
        }

        if (!TraceHeader.IsAtStart(rest) || rest[TraceHeader.Length - 1] != EndObject)
        {
            return Fail("another format than 4");
        }

        begun = true;
        block = new(NettraceBlockKind.Header, [], rest[..TraceHeader.Length]);
        return TraceHeader.Length;
    }

    int Block(ReadOnlySpan<byte> rest, out NettraceBlock block)
    {
        block = default;
        Ended = rest[0] == NullReference;
        if (Ended || rest.Length < BeforeName)
        {
            return 0;
        }

        var name = BinaryPrimitives.ReadInt32LittleEndian(rest[(BeforeName - sizeof(int))..]);
        if (rest is not [BeginObject, BeginObject, NullReference, ..] || name is <= 0 or > LongestName)
        {
            return Fail("an object of another kind");
        }

        var head = BeforeName + name + 1;
        return rest.Length < head + sizeof(int) ? 0
            : rest[head - 1] != EndObject ? Fail("a name without an end")
            : Content(rest, head, BinaryPrimitives.ReadInt32LittleEndian(rest[head..]), out block);
    }

    int Content(ReadOnlySpan<byte> rest, int head, int size, out NettraceBlock block)
    {
        block = default;
        if (size is < 0 or > LongestBlock)
        {
            return Fail("a block too long");
        }

        var begin = head + sizeof(int) + Padding(Passed + head + sizeof(int));
        if (rest.Length <= begin + size)
        {
            LacksOnlyEnd = rest.Length == begin + size;
            return 0;
        }

        if (rest[begin + size] != EndObject)
        {
            return Fail("a block without an end");
        }

        // Successive blocks of one type share the head, because a flight recorder holds thousands of blocks, nearly all of one type.
        if (!rest[..head].SequenceEqual(newestHead))
        {
            (newestHead, newestKind) = (rest[..head].ToArray(), KindOf(rest[BeforeName..(head - 1)]));
        }

        block = new(newestKind, newestHead, rest.Slice(begin, size));
        return begin + size + 1;
    }

    static NettraceBlockKind KindOf(ReadOnlySpan<byte> name) =>
        name.SequenceEqual("EventBlock"u8) ? NettraceBlockKind.Events
        : name.SequenceEqual("MetadataBlock"u8) ? NettraceBlockKind.Metadata
        : name.SequenceEqual("StackBlock"u8) ? NettraceBlockKind.Stacks
        : name.SequenceEqual("SPBlock"u8) ? NettraceBlockKind.SequencePoint
        : NettraceBlockKind.Other;

    int Fail(string defect)
    {
        (Defect, held, start, end) = (defect, [], 0, 0);
        return 0;
    }
}

/// <summary>Thrown if a stream contains unknown or invalid data. The TraceEvent library then reads the unchanged stream.</summary>
/// <param name="what">Description of the data, as a part of a sentence.</param>
sealed class UnsupportedTraceException(string what) : Exception(what);
