using System.Buffers.Binary;

namespace Tpwatch.Recordings;

/// <summary>Which process a stream came from and when it began, as its header tells: no two streams of one machine have the same.</summary>
readonly record struct StreamStamp(int Pid, long Ticks, long Frequency)
{
    /// <summary>A second stream is opened right after the first; an attach takes no longer.</summary>
    const int MostSecondsApart = 15;

    // Of format 4, see FlightHeader: the wall clock's 16 bytes, then ticks, frequency, the size of a pointer, the process.
    const int TicksAt = 69;
    const int FrequencyAt = TicksAt + sizeof(long);
    const int ProcessAt = FrequencyAt + sizeof(long) + sizeof(int);
    const int Length = ProcessAt + sizeof(int);

    /// <summary>As it is written into a side-car.</summary>
    public string Text => string.Create(CultureInfo.InvariantCulture, $"{Pid}-{Ticks}");

    /// <summary>That of a file, which is left at its start; null where the header is cut or of another format.</summary>
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

    /// <summary>Whether a second stream may be this one's; of recordings whose side-car does not say which is.</summary>
    public bool MayHave(StreamStamp second) =>
        second.Pid == Pid && Math.Abs((double)second.Ticks - Ticks) <= MostSecondsApart * (double)Frequency;
}
