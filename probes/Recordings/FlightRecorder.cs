using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// Retains the newest of the raw stream in memory, within a bound: whole blocks, the oldest forgotten first, but never one that later
/// blocks cannot be read without. Written by the reading thread; <see cref="Tape"/> is immutable and for anyone.
/// </summary>
sealed class FlightRecorder
{
    /// <summary>The same bounds as of the logs of a recording; here the oldest go.</summary>
    const int MostClockReadings = 4096;

    const int MostProcessReadings = 16_384;

    readonly BlockFinder finder;
    readonly long limitBytes;
    int clockReadings;
    int processReadings;
    ClockReading? lastClock;

    /// <param name="limitBytes">Bytes that may be retained.</param>
    public FlightRecorder(long limitBytes)
    {
        this.limitBytes = limitBytes;
        finder = new(
            header => Tape = Tape with { Header = new(header) },
            (head, kind, content) => Take(new(head, kind, content.ToArray())));
    }

    /// <summary>What is retained at the moment.</summary>
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

    /// <summary>Takes a reading of the clock.</summary>
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

    /// <summary>Takes a reading of the process.</summary>
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
