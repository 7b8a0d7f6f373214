using System.Buffers.Binary;

namespace Tpwatch.Recordings;

/// <summary>The type of a block.</summary>
enum StreamBlockKind
{
    /// <summary>The stream ended properly.</summary>
    End,

    /// <summary>The stream broke off: it contains no further complete block.</summary>
    Broken,

    Events,
    Descriptions,
    Stacks,
    SequencePoint,
}

/// <summary>
/// Reads a stream of format 4, which every runtime since .NET 5 writes, block by block. Throws <see cref="NotUnderstoodException"/> on
/// anything that does not belong in such a stream.
/// </summary>
sealed class BlockReader(Stream stream)
{
    /// <summary>
    /// Length in bytes of the signature, the serializer's name with its length, and the object with the trace's start time and process.
    /// </summary>
    const int HeadBytes = 102;

    /// <summary>
    /// Maximum size of a block, bytes. A block of a live session has at most 100 kB, a block of descriptions of a large program some
    /// megabytes.
    /// </summary>
    const int LongestBlock = 64 << 20;

    const int LongestName = 64;
    const int Alignment = 4;
    const byte BeginObject = 5;
    const byte EndObject = 6;
    const byte Null = 1;
    const int NewestBlock = 2;

    /// <summary>Bytes before a type's name: two begin tags, one tag for no base type, two versions, and the length of the name.</summary>
    const int BeforeName = 3 + 3 * sizeof(int);

    byte[] window = new byte[1 << 18];
    int start;
    int end;
    long offset;

    static ReadOnlySpan<byte> Signature => "Nettrace\u0014\0\0\0!FastSerialization.1\u0005\u0005\u0001\u0004\0\0\0"u8;
    static ReadOnlySpan<byte> TraceName => "\u0005\0\0\0Trace\u0006"u8;

    /// <summary>Number of bytes read so far.</summary>
    public long Passed => offset;

    /// <summary>The header of the stream; must be called first.</summary>
    public byte[] Head()
    {
        if (!Has(HeadBytes) || !Peek(HeadBytes).StartsWith(Signature)
            || !Peek(HeadBytes)[(Signature.Length + sizeof(int))..].StartsWith(TraceName) || Peek(HeadBytes)[^1] != EndObject)
        {
            throw new NotUnderstoodException("another format than 4");
        }

        return Pass(HeadBytes).ToArray();
    }

    /// <summary>The next block; its content is valid until the next call.</summary>
    public StreamBlockKind Next(out ReadOnlySpan<byte> content)
    {
        content = default;
        if (!Has(1))
        {
            return StreamBlockKind.Broken;
        }

        if (Peek(1)[0] == Null)
        {
            return StreamBlockKind.End;
        }

        if (!Has(BeforeName))
        {
            return StreamBlockKind.Broken;
        }

        var before = Pass(BeforeName);
        var name = BinaryPrimitives.ReadInt32LittleEndian(before[^sizeof(int)..]);
        Require(before is [BeginObject, BeginObject, Null, ..] && name is > 0 and <= LongestName
            && BinaryPrimitives.ReadInt32LittleEndian(before[3..]) <= NewestBlock, "an object of another kind");
        return Has(name + 1 + sizeof(int) + Alignment - 1) ? Content(name, out content) : StreamBlockKind.Broken;
    }

    StreamBlockKind Content(int name, out ReadOnlySpan<byte> content)
    {
        content = default;
        var kind = KindOf(Pass(name));
        Require(Pass(1)[0] == EndObject, "a name without an end");
        var length = BinaryPrimitives.ReadInt32LittleEndian(Pass(sizeof(int)));
        Require(length is >= 0 and <= LongestBlock, "a block too long");
        Pass((int)((Alignment - offset % Alignment) % Alignment));
        if (!Has(length + 1))
        {
            // If the content is complete and only its end tag is missing, the library reads the block and then fails.
            Require(!Has(length), "a block without an end");
            return StreamBlockKind.Broken;
        }

        var whole = Pass(length + 1);
        Require(whole[^1] == EndObject, "a block without an end");
        content = whole[..^1];
        return kind;
    }

    static StreamBlockKind KindOf(ReadOnlySpan<byte> name) =>
        name.SequenceEqual("EventBlock"u8) ? StreamBlockKind.Events
        : name.SequenceEqual("MetadataBlock"u8) ? StreamBlockKind.Descriptions
        : name.SequenceEqual("StackBlock"u8) ? StreamBlockKind.Stacks
        : name.SequenceEqual("SPBlock"u8) ? StreamBlockKind.SequencePoint
        : throw new NotUnderstoodException("a block of another kind");

    ReadOnlySpan<byte> Peek(int count) => window.AsSpan(start, count);

    ReadOnlySpan<byte> Pass(int count)
    {
        var passed = Peek(count);
        (start, offset) = (start + count, offset + count);
        return passed;
    }

    /// <summary>Whether <paramref name="count"/> bytes are available; reads from the stream as far as necessary.</summary>
    bool Has(int count)
    {
        if (end - start >= count)
        {
            return true;
        }

        window.AsSpan(start, end - start).CopyTo(window);
        (start, end) = (0, end - start);
        if (count > window.Length)
        {
            Array.Resize(ref window, Math.Max(count, window.Length * 2));
        }

        while (end < count && stream.Read(window, end, window.Length - end) is var read and > 0)
        {
            end += read;
        }

        return end >= count;
    }

    static void Require(bool holds, string otherwise)
    {
        if (!holds)
        {
            throw new NotUnderstoodException(otherwise);
        }
    }
}
