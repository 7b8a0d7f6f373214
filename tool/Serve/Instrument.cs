namespace Tpwatch.Serve;

/// <summary>What kind of series an instrument has.</summary>
enum InstrumentKind
{
    /// <summary>A level.</summary>
    Gauge,

    /// <summary>A number that only grows.</summary>
    Counter,

    /// <summary>Classes of lengths.</summary>
    Histogram,

    /// <summary>A 1 whose labels are what it says.</summary>
    Info,
}

/// <summary>One value of an instrument.</summary>
/// <param name="Labels">Its own labels beside the target's, as they are written; empty for none.</param>
/// <param name="Value">The value.</param>
/// <param name="Part">Of a histogram: <c>_bucket</c>, <c>_sum</c> or <c>_count</c>.</param>
readonly record struct Point(string Labels, double Value, string Part = "");

/// <summary>An instrument: its name without the ending that its kind has, and how its values are read.</summary>
/// <param name="Name">Name with the unit in it.</param>
/// <param name="Kind">Kind.</param>
/// <param name="Help">What it means, one line.</param>
/// <param name="Read">Its values of one source; none while they are not known.</param>
sealed record Instrument<T>(string Name, InstrumentKind Kind, string Help, Func<T, IEnumerable<Point>> Read)
{
    /// <summary>What the kind adds to the name in a series.</summary>
    public string Ending => Kind switch
    {
        InstrumentKind.Counter => "_total",
        InstrumentKind.Info => "_info",
        _ => "",
    };
}
