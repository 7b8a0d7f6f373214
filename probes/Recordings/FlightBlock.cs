using System.Buffers.Binary;

namespace Tpwatch.Recordings;

/// <summary>One object of a nettrace stream, whole: what stands before its content, and the content.</summary>
/// <param name="Head">From the tag that begins it to the tag that ends its type.</param>
/// <param name="Kind">Name of its type.</param>
/// <param name="Content">The content, without the padding before it.</param>
sealed record FlightBlock(byte[] Head, string Kind, byte[] Content)
{
    const string Metadata = "MetadataBlock";

    /// <summary>The type of a block of events.</summary>
    public const string Events = "EventBlock";

    /// <summary>The type of those that tell up to where the stream is complete.</summary>
    public const string SequencePoint = "SPBlock";

    /// <summary>The header of a block of events: its own length, flags, and the two times.</summary>
    const int TimesAt = 4;

    const int HeaderLength = 20;

    /// <summary>Whether later blocks cannot be read without it.</summary>
    public bool IsMetadata => Kind == Metadata;

    public bool HoldsEvents => Kind == Events;

    /// <summary>Time of its first event, ticks of the stream's clock; null where it has none.</summary>
    public long? FromTicks =>
        HoldsEvents && Content.Length >= HeaderLength ? BinaryPrimitives.ReadInt64LittleEndian(Content.AsSpan(TimesAt)) : null;

    /// <summary>What the runtime needs for its objects: the block itself, its array, its place in the queue; bytes.</summary>
    const int ObjectBytes = 40 + 24 + 32;

    /// <summary>Memory that it takes.</summary>
    public int Size => ObjectBytes + Content.Length;

    /// <summary>Writes it at that place of a stream; the place behind it.</summary>
    public long WriteTo(Stream file, long position)
    {
        var padding = BlockFinder.Padding(position + Head.Length + sizeof(int));
        Span<byte> size = stackalloc byte[sizeof(int) + padding];
        size.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(size, Content.Length);
        file.Write(Head);
        file.Write(size);
        file.Write(Content);
        file.WriteByte(BlockFinder.EndObject);
        return position + Head.Length + size.Length + Content.Length + 1;
    }
}
