using System.Buffers.Binary;

namespace Tpwatch.Recordings;

/// <summary>One complete object of a nettrace stream: the bytes before its content, and the content.</summary>
/// <param name="Head">The bytes from the tag that begins the object to the tag that ends its type.</param>
/// <param name="Kind">Name of the type.</param>
/// <param name="Content">The content, without the padding before it.</param>
sealed record FlightBlock(byte[] Head, string Kind, byte[] Content)
{
    const string Metadata = "MetadataBlock";

    /// <summary>The type of a block of events.</summary>
    public const string Events = "EventBlock";

    /// <summary>The type of the blocks that say up to which moment the stream is complete.</summary>
    public const string SequencePoint = "SPBlock";

    /// <summary>Offset of the times in the header of an event block, after the header's own length and the flags.</summary>
    const int TimesAt = 4;

    const int HeaderLength = 20;

    /// <summary>Whether later blocks cannot be read without this one.</summary>
    public bool IsMetadata => Kind == Metadata;

    public bool HoldsEvents => Kind == Events;

    /// <summary>Time of the first event, ticks of the stream's clock; null if the block contains no events.</summary>
    public long? FromTicks =>
        HoldsEvents && Content.Length >= HeaderLength ? BinaryPrimitives.ReadInt64LittleEndian(Content.AsSpan(TimesAt)) : null;

    /// <summary>Memory for the runtime's objects: the block itself, its array, its entry in the queue; bytes.</summary>
    const int ObjectBytes = 40 + 24 + 32;

    /// <summary>Memory use of the block, bytes.</summary>
    public int Size => ObjectBytes + Content.Length;

    /// <summary>Writes the block at <paramref name="position"/> of a stream; returns the position after it.</summary>
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
