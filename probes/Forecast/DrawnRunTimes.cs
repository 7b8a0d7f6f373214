namespace Tpwatch.Forecast;

/// <summary>
/// Run times drawn from what was measured, in one of many orders; the same in every run, so that a report of a recording is.
/// </summary>
/// <param name="All">Where they are drawn from.</param>
/// <param name="Order">Which order.</param>
sealed record DrawnRunTimes(RunTimeSurvival All, int Order)
{
    /// <summary>How long the so-manieth item runs, milliseconds.</summary>
    public double OfMs(long item) => All.QuantileMs(Drawn(item));

    /// <summary>How much longer an item runs that has run so long, milliseconds; they are counted apart from those that wait.</summary>
    public double LeftMs(double ageMs, int running) => All.QuantileMs(Drawn(-1 - running), ageMs) - ageMs;

    // SplitMix64 (Steele, Lea and Flood 2014).
    double Drawn(long item)
    {
        var mixed = unchecked((ulong)item * 0x9E3779B97F4A7C15 + (ulong)(Order + 1) * 0xD1B54A32D192ED03);
        mixed = unchecked((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9);
        mixed = unchecked((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB);
        return ((mixed ^ (mixed >> 31)) >> 11) * (1.0 / (1UL << 53));
    }
}
