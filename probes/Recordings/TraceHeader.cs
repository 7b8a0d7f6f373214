using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Tpwatch.Recordings;

/// <summary>The header of a nettrace stream in format 4: a signature, then an object with the start time and the process id.</summary>
/// <param name="bytes">The bytes of the header, unchanged, up to the process id or further.</param>
sealed class TraceHeader(byte[] bytes)
{
    /// <summary>Length of the header, bytes: the signature, the serializer's name with its length, and the object.</summary>
    public const int Length = 102;

    /// <summary>Offset of the object, which consists of three tags, two versions, its name, and its content.</summary>
    const int ObjectAt = 32;

    /// <summary>Offset of the wall-clock time, eight numbers of 16 bits.</summary>
    const int WallClockAt = 53;

    const int TicksAt = WallClockAt + 8 * sizeof(short);
    const int FrequencyAt = TicksAt + sizeof(long);

    /// <summary>Offset of the process id, after the pointer size.</summary>
    const int ProcessAt = FrequencyAt + sizeof(long) + sizeof(int);

    /// <summary>Maximum time between the starts of a recording's two streams, seconds; the second attach never takes longer.</summary>
    const int MostSecondsApart = 15;

    static ReadOnlySpan<byte> Nettrace => "Nettrace"u8;
    static ReadOnlySpan<byte> Serializer => "!FastSerialization"u8;
    static ReadOnlySpan<byte> Signature => "Nettrace\u0014\0\0\0!FastSerialization.1"u8;
    static ReadOnlySpan<byte> Version4 => "\u0005\u0005\u0001\u0004\0\0\0"u8;
    static ReadOnlySpan<byte> TraceName => "\u0005\0\0\0Trace\u0006"u8;

    public byte[] Bytes => bytes;

    /// <summary>Whether the object has the version of format 4; with another version, the blocks may have other content.</summary>
    public bool IsVersion4 => bytes.AsSpan(ObjectAt).StartsWith(Version4);

    /// <summary>Id of the stream, unique on one machine: the process id and the start time. Side-cars store this id.</summary>
    public string Id => string.Create(CultureInfo.InvariantCulture, $"{Pid}-{Ticks}");

    /// <summary>Ticks per second of the stream's clock.</summary>
    public long Frequency => BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(FrequencyAt));

    long Ticks => BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(TicksAt));
    int Pid => BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(ProcessAt));

    /// <summary>Whether bytes begin with a header of any version; requires <see cref="Length"/> bytes or more.</summary>
    public static bool IsAtStart(ReadOnlySpan<byte> start) =>
        start.StartsWith(Signature) && start[(ObjectAt + Version4.Length + sizeof(int))..].StartsWith(TraceName);

    /// <summary>Returns the header of a file and resets the file to its start; null if the header is incomplete.</summary>
    public static TraceHeader? Of(Stream file)
    {
        var start = new byte[ProcessAt + sizeof(int)];
        var read = file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
        file.Position = 0;
        return read < start.Length ? null : new(start);
    }

    /// <summary>
    /// Checks the first bytes of a file: throws <see cref="UserErrorException"/> (exit code 2) if the file is not a recording in this
    /// format or in the older format NetPerf. Resets the file to its start.
    /// </summary>
    public static void Check(Stream file, string path)
    {
        // The older format begins with a length (4 bytes) and the serializer's name.
        Span<byte> start = stackalloc byte[sizeof(int) + Serializer.Length];
        try
        {
            start = start[..file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false)];
        }
        catch (IOException e)
        {
            throw Broken($"{path} cannot be read: {e.Message.TrimEnd('.')}.", "Give a .nettrace file.");
        }

        if (start.IsEmpty)
        {
            throw Broken($"{path} is empty.", "The recording ended before any event arrived; record again.");
        }

        if (!start.StartsWith(Nettrace) && (start.Length < sizeof(int) || !start[sizeof(int)..].StartsWith(Serializer)))
        {
            throw path.EndsWith(".nettrace.json", StringComparison.OrdinalIgnoreCase)
                ? Broken(
                    $"{path} is the .json file that belongs to a recording.", $"Give {Path.GetFileNameWithoutExtension(path)} instead.")
                : Broken(
                    $"{path} is not a .nettrace recording.", "Recordings come from `dotnet tpwatch record` or `dotnet-trace collect`.");
        }

        file.Position = 0;
    }

    /// <summary>Whether a second stream of unknown id may belong to the same recording: same process id, similar start time.</summary>
    public bool MayHave(TraceHeader second) =>
        second.Pid == Pid && Math.Abs((double)second.Ticks - Ticks) <= MostSecondsApart * (double)Frequency;

    /// <summary>
    /// Returns a copy of this header with a later start, in ticks of the stream's clock; returns this header if the start is not later. The
    /// start moves by whole milliseconds, because the header's wall-clock time has this resolution.
    /// </summary>
    public TraceHeader BeginningAt(long ticks)
    {
        var milliseconds = Frequency <= 0 ? 0 : (long)Math.Floor((ticks - Ticks) * 1000.0 / Frequency);
        var moved = (byte[])bytes.Clone();
        var clock = MemoryMarshal.Cast<byte, short>(moved.AsSpan(WallClockAt, TicksAt - WallClockAt));
        if (milliseconds <= 0 || WallClock(clock) is not { } began || milliseconds > (DateTime.MaxValue - began).TotalMilliseconds)
        {
            return this;
        }

        var at = began.AddMilliseconds(milliseconds);
        ReadOnlySpan<short> parts = [(short)at.Year, (short)at.Month, (short)at.DayOfWeek, (short)at.Day, (short)at.Hour, (short)at.Minute,
            (short)at.Second, (short)at.Millisecond];
        parts.CopyTo(clock);
        BinaryPrimitives.WriteInt64LittleEndian(moved.AsSpan(TicksAt), Ticks + (long)(milliseconds * (Frequency / 1000.0)));
        return new(moved);
    }

    static DateTime? WallClock(ReadOnlySpan<short> parts)
    {
        try
        {
            return new DateTime(parts[0], parts[1], parts[3], parts[4], parts[5], parts[6], parts[7], DateTimeKind.Utc);
        }
        catch (ArgumentOutOfRangeException)
        {
            return null;
        }
    }

    static UserErrorException Broken(string sentence, string hint) => new(sentence, hint, ExitCode.Broken);
}
