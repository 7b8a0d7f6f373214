using System.Buffers.Binary;
using System.Text;

namespace Tpwatch.Recordings;

/// <summary>
/// Finds complete blocks in a nettrace stream that arrives in pieces. Supports format 4, which every runtime since .NET 5 writes; for other
/// formats, it reports a defect and finds nothing.
/// </summary>
/// <param name="header">Called with the header.</param>
/// <param name="block">Called with each block.</param>
sealed class BlockFinder(Action<byte[]> header, BlockFinder.Found block)
{
    /// <summary>
    /// A complete block: the bytes before its content, the name of its type, and the content, which is valid only during the call.
    /// </summary>
    public delegate void Found(byte[] head, string kind, ReadOnlySpan<byte> content);

    /// <summary>
    /// Length in bytes of the signature, the serializer's name with its length, and the object with the trace's start time and process.
    /// </summary>
    public const int HeaderLength = 102;

    /// <summary>
    /// Maximum size of a block, bytes. A block of a live session has at most 100 kB; a larger size means that it is not a block.
    /// </summary>
    const int LongestBlock = 64 << 20;

    const int LongestName = 64;
    const byte BeginObject = 5;

    /// <summary>The tag that ends an object or its type.</summary>
    public const byte EndObject = 6;

    /// <summary>The tag that ends the stream; inside an object, it means that the type has no base type.</summary>
    public const byte NullReference = 1;

    /// <summary>Bytes before a type's name: two begin tags, one tag for no base type, two versions, and the length of the name.</summary>
    const int BeforeName = 3 + 3 * sizeof(int);

    const int Alignment = 4;

    // The initial size holds most of the data that a target sends at once; `serve` has one buffer for each process.
    byte[] held = new byte[1 << 12];
    int length;
    byte[] newestHead = [];
    string newestKind = "";
    long offset;
    bool begun;
    bool ended;

    /// <summary>Why blocks cannot be found, one sentence; null if they can.</summary>
    public string? Defect { get; private set; }

    /// <summary>Whether all bytes so far belong to complete blocks.</summary>
    public bool IsBetweenBlocks => begun && !ended && length == 0 && Defect is null;

    /// <summary>Takes the next bytes of the stream and reports every block that is complete now.</summary>
    public void Take(ReadOnlySpan<byte> bytes)
    {
        if (Defect is not null || ended)
        {
            return;
        }

        Append(bytes);
        var used = 0;
        while (Next(held.AsSpan(used, length - used), offset + used) is var took and > 0)
        {
            used += took;
        }

        if (Defect is not null)
        {
            return;
        }

        held.AsSpan(used, length - used).CopyTo(held);
        (length, offset) = (length - used, offset + used);
    }

    void Append(ReadOnlySpan<byte> bytes)
    {
        if (length + bytes.Length > held.Length)
        {
            Array.Resize(ref held, Math.Max(held.Length * 2, length + bytes.Length));
        }

        bytes.CopyTo(held.AsSpan(length));
        length += bytes.Length;
    }

    /// <summary>Length of the next header or block in bytes; 0 if it is not complete yet, or cannot be read.</summary>
    int Next(ReadOnlySpan<byte> rest, long at) => begun ? Block(rest, at) : Header(rest);

    int Header(ReadOnlySpan<byte> rest)
    {
        if (rest.Length < HeaderLength)
        {
            return 0;
        }

        if (!rest.StartsWith("Nettrace"u8) || !rest[12..].StartsWith("!FastSerialization.1"u8) || !rest[47..].StartsWith("Trace"u8)
            || rest[HeaderLength - 1] != EndObject)
        {
            return Fail();
        }

        begun = true;
        header(rest[..HeaderLength].ToArray());
        return HeaderLength;
    }

    int Block(ReadOnlySpan<byte> rest, long at)
    {
        if (rest.Length > 0 && rest[0] == NullReference)
        {
            ended = true;
            return 0;
        }

        if (rest.Length < BeforeName)
        {
            return 0;
        }

        var name = BinaryPrimitives.ReadInt32LittleEndian(rest[(BeforeName - sizeof(int))..]);
        if (rest[0] != BeginObject || rest[1] != BeginObject || rest[2] != NullReference || name is <= 0 or > LongestName)
        {
            return Fail();
        }

        var head = BeforeName + name + 1;
        return rest.Length < head + sizeof(int) ? 0 : Content(rest, at, head);
    }

    int Content(ReadOnlySpan<byte> rest, long at, int head)
    {
        var size = BinaryPrimitives.ReadInt32LittleEndian(rest[head..]);
        if (rest[head - 1] != EndObject || size is < 0 or > LongestBlock)
        {
            return Fail();
        }

        var begin = head + sizeof(int) + Padding(at + head + sizeof(int));
        if (rest.Length <= begin + size)
        {
            return 0;
        }

        if (rest[begin + size] != EndObject)
        {
            return Fail();
        }

        // Nearly all blocks have the same type, and a ring buffer holds thousands: they share the bytes and the name of their type.
        if (!rest[..head].SequenceEqual(newestHead))
        {
            (newestHead, newestKind) = (rest[..head].ToArray(), Encoding.UTF8.GetString(rest[BeforeName..(head - 1)]));
        }

        block(newestHead, newestKind, rest.Slice(begin, size));
        return begin + size + 1;
    }

    /// <summary>
    /// Number of padding bytes before content at a position: content starts at a multiple of four from the start of the stream.
    /// </summary>
    public static int Padding(long position) => (int)((Alignment - position % Alignment) % Alignment);

    int Fail()
    {
        Defect = "this version of tpwatch cannot cut a part out of a stream in this format";
        held = [];
        length = 0;
        return 0;
    }
}
