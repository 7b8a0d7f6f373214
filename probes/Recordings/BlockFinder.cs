using System.Buffers.Binary;
using System.Text;

namespace Tpwatch.Recordings;

/// <summary>
/// Finds the whole blocks in a nettrace stream that comes in pieces. Knows format 4, which every runtime since .NET 5 writes; of another
/// one it says so and finds nothing.
/// </summary>
/// <param name="header">Told of the header.</param>
/// <param name="block">Told of each block.</param>
sealed class BlockFinder(Action<byte[]> header, BlockFinder.Found block)
{
    /// <summary>
    /// A whole block: what stands before its content, the name of its type, and the content, which is there for the call alone.
    /// </summary>
    public delegate void Found(byte[] head, string kind, ReadOnlySpan<byte> content);

    /// <summary>Signature, serializer's name with its length, and the object that tells when and where the trace began.</summary>
    public const int HeaderLength = 102;

    /// <summary>A block of a live session has 100 kB at most; what claims to be larger than this is no block.</summary>
    const int LongestBlock = 64 << 20;

    const int LongestName = 64;
    const byte BeginObject = 5;

    /// <summary>Ends an object and its type.</summary>
    public const byte EndObject = 6;

    /// <summary>Ends the stream; elsewhere it stands for no base type.</summary>
    public const byte NullReference = 1;

    /// <summary>Two tags of beginnings, one of no base type, two versions, and the length of a name.</summary>
    const int BeforeName = 3 + 3 * sizeof(int);

    const int Alignment = 4;

    // Most of what is sent at once fits; `serve` has one for each process.
    byte[] held = new byte[1 << 12];
    int length;
    byte[] newestHead = [];
    string newestKind = "";
    long offset;
    bool begun;
    bool ended;

    /// <summary>Why blocks cannot be found, one sentence; null while they can.</summary>
    public string? Defect { get; private set; }

    /// <summary>Whether everything that came was told as blocks.</summary>
    public bool IsBetweenBlocks => begun && !ended && length == 0 && Defect is null;

    /// <summary>Takes the next bytes of the stream and tells of every block that is whole now.</summary>
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

    /// <summary>Bytes of the next thing in the stream; 0 when it is not whole yet, or cannot be read.</summary>
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

        // Nearly all are of one type, and a ring holds thousands: they share its name.
        if (!rest[..head].SequenceEqual(newestHead))
        {
            (newestHead, newestKind) = (rest[..head].ToArray(), Encoding.UTF8.GetString(rest[BeforeName..(head - 1)]));
        }

        block(newestHead, newestKind, rest.Slice(begin, size));
        return begin + size + 1;
    }

    /// <summary>Content begins at a multiple of four, counted from the start of the stream.</summary>
    public static int Padding(long position) => (int)((Alignment - position % Alignment) % Alignment);

    int Fail()
    {
        Defect = "this version of tpwatch cannot cut a part out of a stream in this format";
        held = [];
        length = 0;
        return 0;
    }
}
