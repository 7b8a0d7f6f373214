using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// The clock readings of a recording, bounded: one that says nothing new is left out, and when there are too many every second goes.
/// </summary>
sealed class ClockLog
{
    const int MostReadings = 4096;

    // The grid drifts by 0.05 us a second; after so long it is worth saying again.
    const double SayAgainMs = 10_000;

    // Ten times finer than the margins with which readings are used.
    const double SameMs = 0.005;

    // 75 wake-ups do not tell it more precisely.
    const double SameShare = 0.25;

    readonly List<ClockReading> kept = [];

    /// <summary>What was kept, oldest first.</summary>
    public IReadOnlyList<ClockReading> Readings => this.kept;

    /// <summary>Takes the next reading.</summary>
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

    /// <summary>Whether a reading tells no more than the one before it.</summary>
    internal static bool SaysNothingNew(ClockReading last, ClockReading next) =>
        next.Regime == last.Regime
        && (next.IdleShare is not { } share || last.IdleShare is not { } before || Math.Abs(share - before) < SameShare)
        && next.At.MsSince(last.At) < SayAgainMs
            && Math.Abs(next.GridMs - last.GridMs) < SameMs && Math.Abs(next.EdgeMs - last.EdgeMs) < SameMs;
}
