using System.Buffers.Binary;
using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// Retains the newest part of an event stream in memory, up to a size limit. The recorder discards the oldest blocks first and keeps blocks
/// of metadata, without which later blocks cannot be read. Only the reading thread adds blocks and readings; any thread can use
/// <see cref="Tape"/>, which is immutable.
/// </summary>
/// <param name="limitBytes">Maximum number of bytes to retain.</param>
sealed class FlightRecorder(long limitBytes)
{
    /// <summary>Maximum number of clock readings, as in <see cref="ClockReadingLog"/>; at this number, the oldest is discarded.</summary>
    const int MostClockReadings = 4096;

    const int MostProcessReadings = 16_384;

    int clockReadings;
    int processReadings;
    ClockReading? lastClock;

    /// <summary>The currently retained data.</summary>
    public FlightSnapshot Tape { get; private set; } = FlightSnapshot.Empty;

    public void Take(in NettraceBlock block)
    {
        if (block.Kind == NettraceBlockKind.Header)
        {
            Tape = Tape with { Header = new(block.Content.ToArray()) };
            return;
        }

        var tape = Tape.With(new(block.Kind, block.Head, block.Content.ToArray()));
        while (tape.Bytes > limitBytes && !tape.Blocks.IsEmpty)
        {
            tape = tape.WithoutOldest();
        }

        Tape = tape;
    }

    /// <summary>Discards all blocks, because the stream has data that cannot be read. Readings are kept.</summary>
    public void Fail() => Tape = FlightSnapshot.Empty with
    {
        Clock = Tape.Clock,
        Process = Tape.Process,
        Defect = "this version of tpwatch cannot cut a part out of a stream in this format",
    };

    /// <summary>Adds a reading of the clock, unless it has no new information.</summary>
    public void Add(ClockReading reading)
    {
        if (lastClock is { } last && ClockReadingLog.SaysNothingNew(last, reading))
        {
            return;
        }

        lastClock = reading;
        var clock = ++clockReadings > MostClockReadings ? Tape.Clock.Dequeue() : Tape.Clock;
        Tape = Tape with { Clock = clock.Enqueue(reading) };
    }

    public void Add(ProcessReading reading)
    {
        var process = ++processReadings > MostProcessReadings ? Tape.Process.Dequeue() : Tape.Process;
        Tape = Tape with { Process = process.Enqueue(reading) };
    }
}

/// <summary>
/// The data that a flight recorder retains at one moment; immutable, so that any thread can save it while the capture continues.
/// </summary>
sealed record FlightSnapshot
{
    public static FlightSnapshot Empty { get; } = new();

    /// <summary>The header of the stream; null until it has arrived.</summary>
    public TraceHeader? Header { get; init; }

    /// <summary>Metadata blocks older than the oldest block of <see cref="Blocks"/>.</summary>
    public ImmutableQueue<FlightBlock> Metadata { get; init; } = [];

    /// <summary>The newest blocks, oldest first.</summary>
    public ImmutableQueue<FlightBlock> Blocks { get; init; } = [];

    public ImmutableQueue<ClockReading> Clock { get; init; } = [];

    public ImmutableQueue<ProcessReading> Process { get; init; } = [];

    /// <summary>Memory use of the blocks, bytes.</summary>
    public long Bytes { get; init; }

    /// <summary>Whether events were discarded to stay within the size limit.</summary>
    public bool IsCut { get; init; }

    /// <summary>Why no block can be retained, part of a sentence; null if blocks can be retained.</summary>
    public string? Defect { get; init; }

    public bool HasEvents => Header is not null && Blocks.Any(b => b.FromTicks is not null);

    public FlightSnapshot With(FlightBlock block) => this with { Blocks = Blocks.Enqueue(block), Bytes = Bytes + block.Size };

    public FlightSnapshot WithoutOldest()
    {
        var rest = Blocks.Dequeue(out var oldest);
        return oldest.Kind == NettraceBlockKind.Metadata
            ? this with { Blocks = rest, Metadata = Metadata.Enqueue(oldest) }
            : this with { Blocks = rest, Bytes = Bytes - oldest.Size, IsCut = IsCut || oldest.FromTicks is not null };
    }

    /// <summary>Writes a complete nettrace stream, which starts at the first retained event if older ones were discarded.</summary>
    public void WriteTo(Stream file)
    {
        file.Write((IsCut ? Header!.BeginningAt(Blocks.Min(b => b.FromTicks) ?? 0) : Header!).Bytes);
        var position = (long)TraceHeader.Length;
        foreach (var block in Metadata.Concat(Blocks))
        {
            position = NettraceBlocks.Write(file, position, block.Head, block.Content);
        }

        file.WriteByte(NettraceBlocks.NullReference);
    }
}

/// <summary>A retained block.</summary>
/// <param name="Kind">The type.</param>
/// <param name="Head">The bytes before the size of the block; successive blocks of one type share this array.</param>
/// <param name="Content">The content, without the padding before it.</param>
sealed record FlightBlock(NettraceBlockKind Kind, byte[] Head, byte[] Content)
{
    /// <summary>Offset of the first event's time in the header of an event block, after two 16-bit numbers (length, flags).</summary>
    const int TimesAt = 4;

    /// <summary>Memory in addition to the content, bytes: the object itself, the header of its array, and its entry in the queue.</summary>
    const int ObjectBytes = 40 + 24 + 32;

    /// <summary>Time of the first event, ticks of the stream's clock; null if the block contains no events.</summary>
    public long? FromTicks => Kind == NettraceBlockKind.Events && Content.Length >= EventHeader.BlockHeaderBytes
        ? BinaryPrimitives.ReadInt64LittleEndian(Content.AsSpan(TimesAt)) : null;

    /// <summary>Memory use of the block, bytes.</summary>
    public int Size => ObjectBytes + Content.Length;
}

/// <summary>A recording made from the events that a running observation retained.</summary>
/// <param name="Path">Path of the recording; its side-car is next to it.</param>
/// <param name="Bytes">Length of the stream.</param>
/// <param name="IsWhole">Whether the recording contains the capture from its beginning.</param>
sealed record SavedFlight(string Path, long Bytes, bool IsWhole)
{
    /// <summary>The side-car's remark if the recording lacks the beginning of the capture.</summary>
    const string CutRemark = "This recording was saved while watching. The recording begins in the middle: older events were no longer "
        + "in memory.";

    /// <summary>
    /// Saves retained data to a new file, which only its owner can read. Throws <see cref="UserErrorException"/> if a file of that name
    /// exists or cannot be written (exit code 3), or if no event is retained (1).
    /// </summary>
    internal static SavedFlight Save(string path, FlightSnapshot tape, SideCar sideCar)
    {
        if (!tape.HasEvents)
        {
            throw new UserErrorException(
                tape.Defect is { } why
                    ? $"no events are in memory to save: {why}"
                    : "no event has come yet, so there is nothing to save", "use dotnet tpwatch record instead", ExitCode.NoSession);
        }

        if (PrivateFile.IsThere(path) || PrivateFile.IsThere(SideCarFile.PathFor(path)))
        {
            throw new UserErrorException($"{path} or the .json file next to it exists already", "name another file", ExitCode.Arguments);
        }

        using var file = PrivateFile.CreateNew(path);
        try
        {
            // The file itself is unbuffered, and the data of a day has thousands of small blocks.
            using var buffered = new BufferedStream(file, 1 << 16);
            tape.WriteTo(buffered);
            buffered.Flush();
            SideCarFile.Write(
                SideCarFile.PathFor(path), sideCar with { Remarks = tape.IsCut ? sideCar.Remarks.Add(CutRemark) : sideCar.Remarks },
                over: false);
            return new(path, file.Length, !tape.IsCut);
        }
        catch (IOException e)
        {
            throw new UserErrorException($"{path} cannot be written: {e.Message}", "name another file", ExitCode.Arguments, e);
        }
    }
}
