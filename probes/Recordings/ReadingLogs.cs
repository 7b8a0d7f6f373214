using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// The clock readings of a capture. A reading without new information is left out. When the log is full, every second one is removed.
/// </summary>
sealed class ClockReadingLog
{
    const int MostReadings = 4096;

    // Time after which a reading is kept even if it is unchanged, because the grid drifts by 0.05 us per second.
    const double SayAgainMs = 10_000;

    // Difference below which two values are equal, milliseconds: a tenth of the tolerances with which readings are used.
    const double SameMs = 0.005;

    // Difference below which two idle shares are equal; 75 wake-ups cannot measure the share more precisely.
    const double SameShare = 0.25;

    readonly List<ClockReading> kept = [];

    /// <summary>The kept readings, oldest first.</summary>
    public IReadOnlyList<ClockReading> Readings => this.kept;

    /// <summary>Adds the next reading, unless it has no new information.</summary>
    public void Add(ClockReading reading)
    {
        if (this.kept.Count > 0 && SaysNothingNew(this.kept[^1], reading))
        {
            return;
        }

        if (this.kept.Count == MostReadings)
        {
            ClockReading[] everySecond = [.. this.kept.Where((_, i) => i % 2 == 0)];
            this.kept.Clear();
            this.kept.AddRange(everySecond);
        }

        this.kept.Add(reading);
    }

    /// <summary>Whether a reading has no new information compared with the previous one.</summary>
    internal static bool SaysNothingNew(ClockReading last, ClockReading next) =>
        next.Regime == last.Regime
        && (next.IdleShare is not { } share || last.IdleShare is not { } before || Math.Abs(share - before) < SameShare)
        && next.At.MsSince(last.At) < SayAgainMs
            && Math.Abs(next.GridMs - last.GridMs) < SameMs && Math.Abs(next.EdgeMs - last.EdgeMs) < SameMs;
}

/// <summary>
/// The process readings of a capture. When the log is full, every second reading is removed, unless the process was stopped in it. If more
/// than half the limit remains, the oldest readings are removed too.
/// </summary>
sealed class ProcessReadingLog
{
    // Maximum number of readings: more than four hours at one a second. The side-car then has 2 MB.
    const int MostReadings = 16_384;

    readonly List<ProcessReading> kept = [];

    /// <summary>The kept readings, oldest first.</summary>
    public IReadOnlyList<ProcessReading> Readings => kept;

    public void Add(ProcessReading reading)
    {
        if (kept.Count >= MostReadings)
        {
            ProcessReading[] fewer = [.. kept.Where((r, i) => i % 2 == 0 || r.StoppedSince is not null).TakeLast(MostReadings / 2)];
            kept.Clear();
            kept.AddRange(fewer);
        }

        kept.Add(reading);
    }
}
