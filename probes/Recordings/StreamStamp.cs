using System.Buffers.Binary;

namespace Tpwatch.Recordings;

/// <summary>The process and the start time of a stream, from its header: no two streams of one machine have the same values.</summary>
readonly record struct StreamStamp(int Pid, long Ticks, long Frequency)
{
    /// <summary>Maximum time between the starts of two streams of a recording, seconds: an attach takes no longer.</summary>
    const int MostSecondsApart = 15;

    // Offsets in format 4, see FlightHeader: the wall clock's 16 bytes, then ticks, frequency, pointer size, process id.
    const int TicksAt = 69;
    const int FrequencyAt = TicksAt + sizeof(long);
    const int ProcessAt = FrequencyAt + sizeof(long) + sizeof(int);
    const int Length = ProcessAt + sizeof(int);

    /// <summary>The form in which a side-car stores it.</summary>
    public string Text => string.Create(CultureInfo.InvariantCulture, $"{Pid}-{Ticks}");

    /// <summary>The stamp of a file, which is left at its start; null if the header is incomplete.</summary>
    public static StreamStamp? Of(Stream file)
    {
        var start = new byte[Length];
        var read = file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
        file.Position = 0;
        return read < Length ? null : new(
            BinaryPrimitives.ReadInt32LittleEndian(start.AsSpan(ProcessAt)),
            BinaryPrimitives.ReadInt64LittleEndian(start.AsSpan(TicksAt)),
            BinaryPrimitives.ReadInt64LittleEndian(start.AsSpan(FrequencyAt)));
    }

    /// <summary>Whether a second stream may belong to this one; for recordings whose side-car does not say it.</summary>
    public bool MayHave(StreamStamp second) =>
        second.Pid == Pid && Math.Abs((double)second.Ticks - Ticks) <= MostSecondsApart * (double)Frequency;
}
