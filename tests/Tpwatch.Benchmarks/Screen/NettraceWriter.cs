using System.Text;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>Writes blocks of a nettrace file (format 4), with whole headers, which are simple and large.</summary>
sealed class NettraceWriter(Stream output) : IDisposable
{
    const int HeaderBytes = 80;
    const int BlockHeadBytes = 20;

    /// <summary>The first bit of the kind says that an event may be older than one before it.</summary>
    const int Unsorted = unchecked((int)0x80000000);

    readonly BinaryWriter file = new(output);
    readonly Dictionary<long, int> sequences = [];

    public void Raw(ReadOnlySpan<byte> bytes) => file.Write(bytes);

    /// <summary>A block as it is.</summary>
    public void Block(string name, ReadOnlySpan<byte> block)
    {
        file.Write((byte)5);
        file.Write((byte)5);
        file.Write((byte)1);
        file.Write(2);
        file.Write(2);
        file.Write(name.Length);
        file.Write(Encoding.ASCII.GetBytes(name));
        file.Write((byte)6);
        file.Write(block.Length);
        while (file.BaseStream.Position % 4 != 0)
        {
            file.Write((byte)0);
        }

        file.Write(block);
        file.Write((byte)6);
    }

    /// <summary>A block of events, each as much later as is said, none of them lost.</summary>
    public void Events(IReadOnlyList<NettraceEvent> events, long later)
    {
        using var memory = new MemoryStream();
        using var block = new BinaryWriter(memory);
        block.Write((short)BlockHeadBytes);
        block.Write((short)0);
        block.Write(events.Min(e => e.TimeStamp) + later);
        block.Write(events.Max(e => e.TimeStamp) + later);
        foreach (var e in events)
        {
            Write(block, e, later);
        }

        block.Flush();
        Block("EventBlock", memory.GetBuffer().AsSpan(0, (int)memory.Length));
    }

    /// <summary>The end of the file.</summary>
    public void Dispose()
    {
        file.Write((byte)1);
        file.Dispose();
    }

    void Write(BinaryWriter block, NettraceEvent e, long later)
    {
        var sequence = sequences[e.CaptureThread] = sequences.GetValueOrDefault(e.CaptureThread) + 1;
        block.Write(HeaderBytes - sizeof(int) + e.Payload.Length);
        block.Write(e.Sorted ? e.MetadataId : e.MetadataId | Unsorted);
        block.Write(sequence);
        block.Write(e.Thread);
        block.Write(e.CaptureThread);
        block.Write(e.Processor);
        block.Write(0);
        block.Write(e.TimeStamp + later);
        block.Write(new byte[32]);
        block.Write(e.Payload.Length);
        block.Write(e.Payload.Span);
        while (block.BaseStream.Position % 4 != 0)
        {
            block.Write((byte)0);
        }
    }
}
