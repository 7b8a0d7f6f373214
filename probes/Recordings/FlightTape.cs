using System.Buffers.Binary;
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

/// <summary>
/// The beginning of a nettrace stream of format 4: its signature, and the object that tells when and where the trace began.
/// </summary>
/// <param name="Bytes">As it came; empty before it has come.</param>
sealed record FlightHeader(byte[] Bytes)
{
    /// <summary>Where it tells the wall clock, eight numbers of 16 bits, and the ticks at that moment.</summary>
    const int WallClockAt = 53;

    const int TicksAt = WallClockAt + 16;
    const int FrequencyAt = TicksAt + sizeof(long);

    public static FlightHeader None { get; } = new([]);

    /// <summary>Ticks a second of the stream's clock.</summary>
    public long Frequency => BinaryPrimitives.ReadInt64LittleEndian(Bytes.AsSpan(FrequencyAt));

    long Ticks => BinaryPrimitives.ReadInt64LittleEndian(Bytes.AsSpan(TicksAt));

    /// <summary>
    /// That of a stream that begins later, at that tick of the same clock. The wall clock has milliseconds, so that it moves by whole ones.
    /// </summary>
    public FlightHeader BeginningAt(long ticks)
    {
        var milliseconds = Frequency <= 0 ? 0 : (long)Math.Floor((ticks - Ticks) * 1000.0 / Frequency);
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
