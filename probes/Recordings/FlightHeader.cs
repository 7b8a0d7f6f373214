using System.Buffers.Binary;

namespace Tpwatch.Recordings;

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
