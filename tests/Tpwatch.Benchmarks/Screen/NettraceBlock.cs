using System.Buffers.Binary;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>The events of a block, whose headers say only what differs from the header before.</summary>
static class NettraceBlock
{
    const int ActivityBytes = 16;

    [Flags]
    enum Says : byte
    {
        Metadata = 1,
        CaptureThread = 2,
        Thread = 4,
        Stack = 8,
        Activity = 16,
        RelatedActivity = 32,
        Sorted = 64,
        Length = 128,
    }

    public static IEnumerable<NettraceEvent> Events(byte[] block)
    {
        if ((BinaryPrimitives.ReadInt16LittleEndian(block.AsSpan(2)) & 1) == 0)
        {
            throw new InvalidOperationException("a block with uncompressed headers");
        }

        var at = (int)BinaryPrimitives.ReadInt16LittleEndian(block);
        var last = new NettraceEvent(0, false, 0, 0, 0, 0, default);
        var length = 0;
        while (at < block.Length)
        {
            var says = (Says)block[at++];
            var metadata = says.HasFlag(Says.Metadata) ? (int)Number(block, ref at) : last.MetadataId;
            var (capture, processor) = (last.CaptureThread, last.Processor);
            if (says.HasFlag(Says.CaptureThread))
            {
                Number(block, ref at);
                capture = (long)Number(block, ref at);
                processor = (int)Number(block, ref at);
            }

            var thread = says.HasFlag(Says.Thread) ? (long)Number(block, ref at) : last.Thread;
            Skip(says.HasFlag(Says.Stack), block, ref at);
            var time = last.TimeStamp + (long)Number(block, ref at);
            at += (says.HasFlag(Says.Activity) ? ActivityBytes : 0) + (says.HasFlag(Says.RelatedActivity) ? ActivityBytes : 0);
            length = says.HasFlag(Says.Length) ? (int)Number(block, ref at) : length;
            last = new(metadata, says.HasFlag(Says.Sorted), thread, capture, processor, time, block.AsMemory(at, length));
            at += length;
            yield return last;
        }
    }

    static void Skip(bool present, byte[] block, ref int at)
    {
        if (present)
        {
            Number(block, ref at);
        }
    }

    static ulong Number(byte[] block, ref int at)
    {
        ulong value = 0;
        for (var shift = 0; ; shift += 7)
        {
            var next = block[at++];
            value |= (ulong)(next & 0x7F) << shift;
            if ((next & 0x80) == 0)
            {
                return value;
            }
        }
    }
}
