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
    FlightBlock EventBlock, IReadOnlyList<NettraceEvent> Events)
{
    public static NettraceFile Read(string path)
    {
        TraceHeader? header = null;
        var found = new List<FlightBlock>();
        var blocks = new NettraceBlocks();
        blocks.Append(File.ReadAllBytes(path));
        while (blocks.TryNext(out var block))
        {
            if (block.Kind == NettraceBlockKind.Header)
            {
                header = new(block.Content.ToArray());
            }
            else
            {
                found.Add(new(block.Kind, block.Head, block.Content.ToArray()));
            }
        }

        if (header is null || blocks.Defect is not null)
        {
            throw new InvalidOperationException($"{path}: {blocks.Defect}");
        }

        FlightBlock[] holding = [.. found.Where(b => b.Kind == NettraceBlockKind.Events)];
        return new(header, [.. found.Where(b => b.Kind == NettraceBlockKind.Metadata)], holding[0],
            [.. holding.SelectMany(b => NettraceBlock.Events(b.Content))]);
    }
}
