using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// What a flight recorder retains at one moment; immutable, so that it can be saved on any thread while the capture goes on.
/// </summary>
sealed record FlightTape
{
    public static FlightTape Empty { get; } = new();

    /// <summary>The beginning of the stream; empty before it has come.</summary>
    public FlightHeader Header { get; init; } = FlightHeader.None;

    /// <summary>Metadata of the part that is forgotten.</summary>
    public ImmutableQueue<FlightBlock> Metadata { get; init; } = [];

    /// <summary>The newest blocks, oldest first.</summary>
    public ImmutableQueue<FlightBlock> Blocks { get; init; } = [];

    /// <summary>Readings of the clock, oldest first.</summary>
    public ImmutableQueue<ClockReading> Clock { get; init; } = [];

    /// <summary>Readings of the process, oldest first.</summary>
    public ImmutableQueue<ProcessReading> Process { get; init; } = [];

    /// <summary>Bytes that blocks take.</summary>
    public long Bytes { get; init; }

    /// <summary>Whether events were forgotten to stay within the bound.</summary>
    public bool IsCut { get; init; }

    /// <summary>Why nothing can be retained, one sentence; null when it can.</summary>
    public string? Defect { get; init; }

    /// <summary>Whether there is anything to save.</summary>
    public bool HasEvents => Header.Bytes.Length > 0 && Blocks.Any(b => b.FromTicks is not null);

    public FlightTape With(FlightBlock block) => this with { Blocks = Blocks.Enqueue(block), Bytes = Bytes + block.Size };

    public FlightTape WithoutOldest()
    {
        var rest = Blocks.Dequeue(out var oldest);
        return oldest.IsMetadata
            ? this with { Blocks = rest, Metadata = Metadata.Enqueue(oldest) }
            : this with { Blocks = rest, Bytes = Bytes - oldest.Size, IsCut = IsCut || oldest.FromTicks is not null };
    }

    /// <summary>Writes it as a stream of its own; one that is cut begins with its first event.</summary>
    public void WriteTo(Stream file)
    {
        file.Write((IsCut ? Header.BeginningAt(Blocks.Min(b => b.FromTicks) ?? 0) : Header).Bytes);
        var position = (long)Header.Bytes.Length;
        foreach (var block in Metadata.Concat(Blocks))
        {
            position = block.WriteTo(file, position);
        }

        file.WriteByte(BlockFinder.NullReference);
    }
}
