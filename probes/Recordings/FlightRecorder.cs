using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// Retains the newest part of the raw stream in memory, up to a size limit: complete blocks, of which the oldest are discarded first,
/// except those without which later blocks cannot be read. The reading thread writes; <see cref="Tape"/> is immutable, and any thread can
/// use it.
/// </summary>
sealed class FlightRecorder
{
    /// <summary>Maximum number of clock readings, the same number as in a recording's log; above it, the oldest are discarded.</summary>
    const int MostClockReadings = 4096;

    const int MostProcessReadings = 16_384;

    readonly BlockFinder finder;
    readonly long limitBytes;
    int clockReadings;
    int processReadings;
    ClockReading? lastClock;

    /// <param name="limitBytes">Maximum number of bytes to retain.</param>
    public FlightRecorder(long limitBytes)
    {
        this.limitBytes = limitBytes;
        finder = new(
            header => Tape = Tape with { Header = new(header) },
            (head, kind, content) => Take(new(head, kind, content.ToArray())));
    }

    /// <summary>The currently retained data.</summary>
    public FlightTape Tape { get; private set; } = FlightTape.Empty;

    /// <summary>Takes the next bytes of the stream.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        finder.Take(bytes);
        if (finder.Defect is { } defect && Tape.Defect is null)
        {
            Tape = FlightTape.Empty with { Defect = defect };
        }
    }

    /// <summary>Adds a reading of the clock.</summary>
    public void Add(ClockReading reading)
    {
        if (lastClock is { } last && ClockLog.SaysNothingNew(last, reading))
        {
            return;
        }

        lastClock = reading;
        var clock = ++clockReadings > MostClockReadings ? Tape.Clock.Dequeue() : Tape.Clock;
        Tape = Tape with { Clock = clock.Enqueue(reading) };
    }

    /// <summary>Adds a reading of the process.</summary>
    public void Add(ProcessReading reading)
    {
        var process = ++processReadings > MostProcessReadings ? Tape.Process.Dequeue() : Tape.Process;
        Tape = Tape with { Process = process.Enqueue(reading) };
    }

    void Take(FlightBlock block)
    {
        var tape = Tape.With(block);
        while (tape.Bytes > limitBytes && !tape.Blocks.IsEmpty)
        {
            tape = tape.WithoutOldest();
        }

        Tape = tape;
    }
}
