using System.Buffers.Binary;

namespace Tpwatch.Recordings;

/// <summary>What a block holds.</summary>
enum StreamBlockKind
{
    /// <summary>The stream ended as it should.</summary>
    End,

    /// <summary>The stream broke off: there is no whole block any more.</summary>
    Broken,

    Events,
    Descriptions,
    Stacks,
    SequencePoint,
}

/// <summary>
/// Reads a stream of format 4, which every runtime since .NET 5 writes, block by block. Anything that such a stream does not hold is
/// <see cref="NotUnderstoodException"/>.
/// </summary>
sealed class BlockReader(Stream stream)
{
    /// <summary>Signature, serializer's name with its length, and the object that tells when and where the trace began.</summary>
    const int HeadBytes = 102;

    /// <summary>A block of a live session has 100 kB at most, and a descriptive one of a large program some megabytes.</summary>
    const int LongestBlock = 64 << 20;

    const int LongestName = 64;
    const int Alignment = 4;
    const byte BeginObject = 5;
    const byte EndObject = 6;
    const byte Null = 1;
    const int NewestBlock = 2;

    /// <summary>Two tags of beginnings, one of no base type, two versions, and the length of a name.</summary>
    const int BeforeName = 3 + 3 * sizeof(int);

    byte[] window = new byte[1 << 18];
    int start;
    int end;
    long offset;

    static ReadOnlySpan<byte> Signature => "Nettrace\u0014\0\0\0!FastSerialization.1\u0005\u0005\u0001\u0004\0\0\0"u8;
    static ReadOnlySpan<byte> TraceName => "\u0005\0\0\0Trace\u0006"u8;

    /// <summary>Bytes that were read.</summary>
    public long Passed => offset;

    /// <summary>What the stream begins with; to be called first.</summary>
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
            // Its last byte may be there and its end not: the library reads the block and fails then.
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

    /// <summary>Whether so many bytes are there, read from the stream as far as need be.</summary>
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
