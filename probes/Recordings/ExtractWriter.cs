using System.Buffers;
using System.Buffers.Binary;

namespace Tpwatch.Recordings;

/// <summary>
/// Writes a stream of format 4 that holds certain events in the order in which they are handed out: one writing thread, each event complete
/// up to its moment, so that its reader has nothing to sort. Lost events are a gap in that thread's numbers.
/// </summary>
sealed class ExtractWriter(Stream output)
{
    /// <summary>A header that names everything but a stack.</summary>
    const byte NamesAll = 1 | 2 | 4 | 16 | 32 | 64 | 128;

    const short HeaderBytes = 20;
    const short Compressed = 1;
    const int LongestBlock = 1 << 16;
    const int Alignment = 4;
    const byte Null = 1;
    const byte EndObject = 6;
    const int Writer = 1;

    readonly ArrayBufferWriter<byte> block = new(LongestBlock);
    uint sequence;
    uint inBlock;
    long time;

    static ReadOnlySpan<byte> EventBlock => "\u0005\u0005\u0001\u0002\0\0\0\u0002\0\0\0\u000a\0\0\0EventBlock\u0006"u8;
    static ReadOnlySpan<byte> DescriptionBlock => "\u0005\u0005\u0001\u0002\0\0\0\u0002\0\0\0\u000d\0\0\0MetadataBlock\u0006"u8;

    /// <summary>Bytes so far.</summary>
    public long Length => output.Position + block.WrittenCount;

    /// <summary>What the stream begins with, as it was.</summary>
    public void Head(ReadOnlySpan<byte> bytes) => output.Write(bytes);

    /// <summary>Descriptions, as they were.</summary>
    public void Descriptions(ReadOnlySpan<byte> content)
    {
        Flush();
        Object(DescriptionBlock, content);
    }

    /// <summary>The next event, before which so many were lost.</summary>
    public void Event(in EventHeader header, ReadOnlySpan<byte> payload, int lost)
    {
        if (block.WrittenCount == 0)
        {
            Begin();
        }

        // The library takes a count of zero for that of a thread whose id was used before, and sees no gap after it.
        sequence = unchecked(sequence + 1 + (uint)lost);
        if (sequence == 0)
        {
            throw new NotUnderstoodException("more events than can be counted");
        }

        block.Write([NamesAll]);
        Number((uint)header.Kind);
        Number(unchecked(sequence - inBlock - 1));
        Number(Writer);
        Number(0);
        Number((ulong)header.Thread);
        Number((ulong)(header.Time - time));
        Identity(header.Activity);
        Identity(header.RelatedActivity);
        Number((uint)payload.Length);
        block.Write(payload);
        (inBlock, time) = (sequence, header.Time);
        if (block.WrittenCount > LongestBlock)
        {
            Flush();
        }
    }

    /// <summary>The end; of a stream that broke off there is none.</summary>
    public void End(bool proper)
    {
        Flush();
        if (proper)
        {
            output.WriteByte(Null);
        }
    }

    void Begin()
    {
        Span<byte> header = stackalloc byte[HeaderBytes];
        header.Clear();
        BinaryPrimitives.WriteInt16LittleEndian(header, HeaderBytes);
        BinaryPrimitives.WriteInt16LittleEndian(header[sizeof(short)..], Compressed);
        block.Write(header);
        (inBlock, time) = (0, 0);
    }

    void Flush()
    {
        if (block.WrittenCount > 0)
        {
            Object(EventBlock, block.WrittenSpan);
            block.ResetWrittenCount();
        }
    }

    void Object(ReadOnlySpan<byte> head, ReadOnlySpan<byte> content)
    {
        Span<byte> length = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(length, content.Length);
        output.Write(head);
        output.Write(length);
        output.Write("\0\0\0"u8[..(int)((Alignment - output.Position % Alignment) % Alignment)]);
        output.Write(content);
        output.WriteByte(EndObject);
    }

    void Identity(Guid value)
    {
        Span<byte> bytes = stackalloc byte[16];
        value.TryWriteBytes(bytes);
        block.Write(bytes);
    }

    void Number(ulong value)
    {
        for (; value > 0x7F; value >>= 7)
        {
            block.Write([(byte)(value | 0x80)]);
        }

        block.Write([(byte)value]);
    }
}
