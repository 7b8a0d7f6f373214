using System.Buffers.Binary;
using System.Collections.Immutable;

namespace Tpwatch.Attach.Flight;

/// <summary>What a flight recorder retains at one moment; immutable, so that it can be saved on any thread while the capture goes on.</summary>
internal sealed record FlightTape
{
    public static FlightTape Empty { get; } = new();

    /// <summary>The beginning of the stream; empty before it has come.</summary>
    public byte[] Header { get; init; } = [];

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
    public bool HasEvents => Header.Length > 0 && Blocks.Any(b => b.FromTicks is not null);

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
        file.Write(IsCut ? BeginningAt(Blocks.Min(b => b.FromTicks) ?? 0) : Header);
        var position = (long)Header.Length;
        foreach (var block in Metadata.Concat(Blocks))
        {
            position = Write(file, block, position);
        }

        file.WriteByte(NullReference);
    }

    const byte NullReference = 1;
    const byte EndObject = 6;

    /// <summary>Where the header tells the wall clock, eight numbers of 16 bits, and the ticks at that moment.</summary>
    const int WallClockAt = 53;

    const int TicksAt = WallClockAt + 16;
    const int FrequencyAt = TicksAt + sizeof(long);

    static long Write(Stream file, FlightBlock block, long position)
    {
        var padding = BlockFinder.Padding(position + block.Head.Length + sizeof(int));
        Span<byte> size = stackalloc byte[sizeof(int) + padding];
        size.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(size, block.Content.Length);
        file.Write(block.Head);
        file.Write(size);
        file.Write(block.Content);
        file.WriteByte(EndObject);
        return position + block.Head.Length + size.Length + block.Content.Length + 1;
    }

    // The wall clock has milliseconds, so that the beginning moves by whole ones.
    byte[] BeginningAt(long ticks)
    {
        var moved = (byte[])Header.Clone();
        var (was, frequency) = (BinaryPrimitives.ReadInt64LittleEndian(Header.AsSpan(TicksAt)), BinaryPrimitives.ReadInt64LittleEndian(Header.AsSpan(FrequencyAt)));
        var milliseconds = frequency <= 0 ? 0 : (long)Math.Floor((ticks - was) * 1000.0 / frequency);
        if (milliseconds > 0 && WallClock(Header.AsSpan(WallClockAt)) is { } began)
        {
            Put(moved.AsSpan(WallClockAt), began.AddMilliseconds(milliseconds));
            BinaryPrimitives.WriteInt64LittleEndian(moved.AsSpan(TicksAt), was + (long)(milliseconds * (frequency / 1000.0)));
        }

        return moved;
    }

    static DateTime? WallClock(ReadOnlySpan<byte> at)
    {
        Span<short> parts = stackalloc short[8];
        for (var i = 0; i < parts.Length; i++)
        {
            parts[i] = BinaryPrimitives.ReadInt16LittleEndian(at[(i * sizeof(short))..]);
        }

        try
        {
            return new DateTime(parts[0], parts[1], parts[3], parts[4], parts[5], parts[6], parts[7], DateTimeKind.Utc);
        }
        catch (ArgumentOutOfRangeException)
        {
            return null;
        }
    }

    static void Put(Span<byte> at, DateTime moment)
    {
        ReadOnlySpan<int> parts = [moment.Year, moment.Month, (int)moment.DayOfWeek, moment.Day, moment.Hour, moment.Minute, moment.Second, moment.Millisecond];
        for (var i = 0; i < parts.Length; i++)
        {
            BinaryPrimitives.WriteInt16LittleEndian(at[(i * sizeof(short))..], (short)parts[i]);
        }
    }
}
