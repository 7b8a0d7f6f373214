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
sealed record NettraceFile(FlightHeader Header, IReadOnlyList<FlightBlock> Metadata,
    FlightBlock EventBlock, IReadOnlyList<NettraceEvent> Events)
{
    public static NettraceFile Read(string path)
    {
        var header = FlightHeader.None;
        var blocks = new List<FlightBlock>();
        var finder = new BlockFinder(
            bytes => header = new(bytes), (head, kind, content) => blocks.Add(new(head, kind, content.ToArray())));
        finder.Take(File.ReadAllBytes(path));
        if (finder.Defect is { } defect)
        {
            throw new InvalidOperationException($"{path}: {defect}");
        }

        var holding = blocks.Where(b => b.HoldsEvents).ToList();
        return new(header, [.. blocks.Where(b => b.IsMetadata)], holding[0], [.. holding.SelectMany(b => NettraceBlock.Events(b.Content))]);
    }
}
