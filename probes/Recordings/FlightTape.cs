using System.Buffers.Binary;
using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// The data that a flight recorder retains at one moment; immutable, so that any thread can save it while the capture continues.
/// </summary>
sealed record FlightTape
{
    public static FlightTape Empty { get; } = new();

    /// <summary>The header of the stream; empty until it has arrived.</summary>
    public FlightHeader Header { get; init; } = FlightHeader.None;

    /// <summary>Metadata blocks of the discarded part.</summary>
    public ImmutableQueue<FlightBlock> Metadata { get; init; } = [];

    /// <summary>The newest blocks, oldest first.</summary>
    public ImmutableQueue<FlightBlock> Blocks { get; init; } = [];

    /// <summary>Readings of the clock, oldest first.</summary>
    public ImmutableQueue<ClockReading> Clock { get; init; } = [];

    /// <summary>Readings of the process, oldest first.</summary>
    public ImmutableQueue<ProcessReading> Process { get; init; } = [];

    /// <summary>Memory use of the blocks, bytes.</summary>
    public long Bytes { get; init; }

    /// <summary>Whether events were discarded to stay within the limit.</summary>
    public bool IsCut { get; init; }

    /// <summary>Why nothing can be retained, one sentence; null if it can.</summary>
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

    /// <summary>Writes the data as a separate stream; if older events were discarded, the stream begins at its first event.</summary>
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

/// <summary>The header of a nettrace stream of format 4: its signature, and the object with the trace's start time and process.</summary>
/// <param name="Bytes">The bytes as they arrived; empty until then.</param>
sealed record FlightHeader(byte[] Bytes)
{
    /// <summary>Offset of the wall-clock time, eight numbers of 16 bits; the ticks at that moment follow.</summary>
    const int WallClockAt = 53;

    const int TicksAt = WallClockAt + 16;
    const int FrequencyAt = TicksAt + sizeof(long);

    public static FlightHeader None { get; } = new([]);

    /// <summary>Ticks per second of the stream's clock.</summary>
    public long Frequency => BinaryPrimitives.ReadInt64LittleEndian(Bytes.AsSpan(FrequencyAt));

    long Ticks => BinaryPrimitives.ReadInt64LittleEndian(Bytes.AsSpan(TicksAt));

    /// <summary>
    /// The header of a stream that begins later, at that tick of the same clock. The wall-clock time has a resolution of milliseconds, so
    /// the start moves by whole milliseconds.
    /// </summary>
    public FlightHeader BeginningAt(long checks)
    {
        var milliseconds = Frequency <= 0 ? 0 : (long)Math.Floor((checks - Ticks) * 1000.0 / Frequency);
        if (milliseconds <= 0 || WallClock(Bytes.AsSpan(WallClockAt)) is not { } began)
        {
            return this;
        }

        var moved = (byte[])Bytes.Clone();
        Put(moved.AsSpan(WallClockAt), began.AddMilliseconds(milliseconds));
        BinaryPrimitives.WriteInt64LittleEndian(moved.AsSpan(TicksAt), Ticks + (long)(milliseconds * (Frequency / 1000.0)));
        return new(moved);
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
        ReadOnlySpan<int> parts = [moment.Year, moment.Month, (int)moment.DayOfWeek,
            moment.Day, moment.Hour, moment.Minute, moment.Second, moment.Millisecond];
        for (var i = 0; i < parts.Length; i++)
        {
            BinaryPrimitives.WriteInt16LittleEndian(at[(i * sizeof(short))..], (short)parts[i]);
        }
    }
}
