using System.Buffers.Binary;
using System.Text;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>
/// A nettrace file (format 4) taken apart: everything before its first event, the blocks that describe events, and the events. Enough to write
/// its events again at other times; stacks and sequence points are left out.
/// </summary>
sealed class NettraceFile
{
    const byte BeginObject = 5;
    const byte EndObject = 6;
    const byte Null = 1;
    const int ClockFrequencyAt = 24;

    readonly byte[] bytes;
    int at;

    NettraceFile(byte[] bytes) => this.bytes = bytes;

    /// <summary>The magic and the object that describes the trace.</summary>
    public ReadOnlyMemory<byte> Head { get; private set; }

    /// <summary>Blocks that describe kinds of events, without their alignment.</summary>
    public List<byte[]> Metadata { get; } = [];

    public List<NettraceEvent> Events { get; } = [];

    /// <summary>Ticks a second.</summary>
    public long Frequency { get; private set; }

    public static NettraceFile Read(string path)
    {
        var file = new NettraceFile(File.ReadAllBytes(path));
        file.ReadAll();
        return file;
    }

    void ReadAll()
    {
        at = 8;
        at += 4 + BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at));
        while (at < bytes.Length && bytes[at] == BeginObject)
        {
            var name = ReadObjectHead();
            if (name == "Trace")
            {
                Frequency = BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(at + ClockFrequencyAt));
                at += 48;
                Expect(EndObject);
                Head = bytes.AsMemory(0, at);
                continue;
            }

            var block = ReadBlock();
            if (name == "MetadataBlock")
            {
                Metadata.Add(block);
            }
            else if (name == "EventBlock")
            {
                Events.AddRange(NettraceBlock.Events(block));
            }
        }
    }

    string ReadObjectHead()
    {
        Expect(BeginObject);
        Expect(BeginObject);
        Expect(Null);
        at += 8;
        var length = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at));
        var name = Encoding.ASCII.GetString(bytes, at + 4, length);
        at += 4 + length;
        Expect(EndObject);
        return name;
    }

    byte[] ReadBlock()
    {
        var size = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at));
        at = (at + 4 + 3) & ~3;
        var block = bytes.AsSpan(at, size).ToArray();
        at += size;
        Expect(EndObject);
        return block;
    }

    void Expect(byte tag)
    {
        if (bytes[at++] != tag)
        {
            throw new InvalidOperationException($"no nettrace file of format 4: {bytes[at - 1]} instead of {tag} at {at - 1}");
        }
    }
}
