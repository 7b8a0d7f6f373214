using Tpwatch.Recordings;

namespace Tpwatch.Benchmarks.Screen;

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
        {
            throw new InvalidOperationException($"{path}: {recorder.Tape.Defect}");
        }

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
