using Tpwatch.Recordings;

namespace Tpwatch.Lab.Screen;

/// <summary>A long recording of a service made of a short one: its events again and again, each time later, with no event lost.</summary>
static class DayRecording
{
    /// <summary>Between the end of one and the begin of the next, as between two heartbeats.</summary>
    static readonly TimeSpan Between = TimeSpan.FromSeconds(1);

    /// <summary>Writes it beside a copy of the side-car; how often the recording is in it.</summary>
    public static int Write(string recording, string file, TimeSpan whole)
    {
        var source = NettraceFile.Read(recording);
        File.Copy(recording + ".json", file + ".json", overwrite: true);
        using var writer = new NettraceWriter(File.Create(file));
        writer.Begin(source.Header);
        foreach (var block in source.Metadata)
            writer.Write(block);
        var length = source.Events.Max(e => e.Header.Time) - source.Events.Min(e => e.Header.Time)
            + (long)(Between.TotalSeconds * source.Header.Frequency);
        var times = (int)(whole.TotalSeconds * source.Header.Frequency / length) + 1;
        for (var i = 0; i < times; i++)
            writer.Write(source, i * length);
        return times;
    }
}

/// <summary>
/// A nettrace file (format 4) taken apart: everything before its first event, the blocks that describe events, and the events. Enough to
/// write its events again at other times; stacks and sequence points are left out.
/// </summary>
/// <param name="Header">What it begins with.</param>
/// <param name="Metadata">Blocks that describe kinds of events.</param>
/// <param name="EventBlock">One of its blocks of events, to be filled with others.</param>
/// <param name="Events">The events, in the order of the file.</param>
sealed record NettraceFile(TraceHeader Header, IReadOnlyList<FlightBlock> Metadata,
    FlightBlock EventBlock, IReadOnlyList<ExtractedEvent> Events)
{
    public static NettraceFile Read(string path)
    {
        var recorder = new FlightRecorder(long.MaxValue);
        using EventStream stream = new(new MemoryStream(File.ReadAllBytes(path))) { Flight = recorder };
        stream.CopyTo(Stream.Null);
        if (recorder.Tape is not { Header: { } header, Defect: null } tape)
            throw new InvalidOperationException($"{path}: {recorder.Tape.Defect}");
        FlightBlock[] holding = [.. tape.Blocks.Where(b => b.Kind == NettraceBlockKind.Events)];
        return new(header, [.. tape.Blocks.Where(b => b.Kind == NettraceBlockKind.Metadata)], holding[0],
            [.. holding.SelectMany(b => EventsOf(b.Content))]);
    }

    static List<ExtractedEvent> EventsOf(byte[] block)
    {
        var cursor = EventHeader.FirstOf(block);
        EventHeader header = default;
        List<ExtractedEvent> events = [];
        while (!cursor.AtEnd)
        {
            header.Read(ref cursor);
            events.Add(new(header, cursor.Take(header.Length).ToArray()));
        }

        return events;
    }
}

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
