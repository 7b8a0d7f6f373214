using Tpwatch.Recordings;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>
/// Writes blocks of a nettrace file (format 4); of each event everything that it has, so that none leans on the one before.
/// </summary>
sealed class NettraceWriter(Stream output) : IDisposable
{
    const int BlockHeadBytes = 20;

    /// <summary>The headers of events say only what differs.</summary>
    const short Compressed = 1;

    /// <summary>A header that names kind, writer, thread and length.</summary>
    const byte NamesAll = 1 | 2 | 4 | 128;

    const byte Sorted = 64;

    readonly Dictionary<long, uint> sequences = [];
    long position;

    /// <summary>What the file begins with.</summary>
    public void Begin(TraceHeader header)
    {
        output.Write(header.Bytes);
        position = header.Bytes.Length;
    }

    /// <summary>A block as it is.</summary>
    public void Write(FlightBlock block) => position = NettraceBlocks.Write(output, position, block.Head, block.Content);

    /// <summary>A block of events, each as much later as is said, none of them lost.</summary>
    public void Write(NettraceFile source, long later)
    {
        using var memory = new MemoryStream();
        using var block = new BinaryWriter(memory);
        block.Write((short)BlockHeadBytes);
        block.Write(Compressed);
        block.Write(source.Events.Min(e => e.Header.Time) + later);
        block.Write(source.Events.Max(e => e.Header.Time) + later);
        var (sequence, time) = (0u, 0L);
        foreach (var e in source.Events)
        {
            var next = sequences[e.Header.Capture] = sequences.GetValueOrDefault(e.Header.Capture) + 1;
            // The next number is what a reader expects; written is by how much it differs from that.
            WriteEvent(block, e, (unchecked(next - sequence - 1), e.Header.Time + later - time));
            (sequence, time) = (next, e.Header.Time + later);
        }

        block.Flush();
        Write(source.EventBlock with { Content = memory.ToArray() });
    }

    /// <summary>The end of the file.</summary>
    public void Dispose()
    {
        output.WriteByte(NettraceBlocks.NullReference);
        output.Dispose();
    }

    static void WriteEvent(BinaryWriter block, ExtractedEvent e, (uint Sequence, long Time) since)
    {
        block.Write((byte)(e.Header.Sorted ? NamesAll | Sorted : NamesAll));
        block.Write7BitEncodedInt(e.Header.Kind);
        block.Write7BitEncodedInt(unchecked((int)since.Sequence));
        block.Write7BitEncodedInt64(e.Header.Capture);
        block.Write7BitEncodedInt(0);
        block.Write7BitEncodedInt64(e.Header.Thread);
        block.Write7BitEncodedInt64(since.Time);
        block.Write7BitEncodedInt(e.Payload.Length);
        block.Write(e.Payload);
    }
}
