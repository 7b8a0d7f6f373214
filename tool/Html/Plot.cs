namespace Tpwatch.Html;

/// <summary>The time axis of a timeline drawing, which maps moments to SVG units.</summary>
/// <param name="From">Time at the left edge of the lanes.</param>
/// <param name="To">Time at the right edge of the lanes.</param>
sealed record Plot(EventTime From, EventTime To)
{
    /// <summary>Left edge of the lanes, SVG units; names and scales are to the left of it.</summary>
    public const double Left = 74;

    /// <summary>Right edge of the lanes, SVG units; the newest values are to the right of it.</summary>
    public const double Right = 916;

    /// <summary>Possible distances between two marks of the axis, milliseconds.</summary>
    static readonly double[] Steps =
    [
        50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000,
    ];

    /// <summary>Maximum number of marks of the axis; further marks would overlap.</summary>
    const int MostMarks = 9;

    /// <summary>Returns the axis for the part of a capture whose lanes are kept in memory.</summary>
    public static Plot Of(TimelineSnapshot timeline)
    {
        var from = timeline.Buckets.FirstIndex > 0 ? timeline.Buckets.TimeOf(timeline.Buckets.FirstIndex) : timeline.Start;
        return new(from, EventTime.Max(timeline.Now, from.PlusMs(1)));
    }

    /// <summary>Length of the axis, milliseconds.</summary>
    public double LengthMs => To.MsSince(From);

    /// <summary>Returns the position of a moment, SVG units; a moment outside of the axis is at an edge of the lanes.</summary>
    public double X(EventTime at) => Left + Math.Clamp(at.MsSince(From) / LengthMs, 0, 1) * (Right - Left);

    /// <summary>Whether the axis contains the moment.</summary>
    public bool Shows(EventTime at) => at >= From && at <= To;

    /// <summary>Returns the labelled moments of the axis: round times since the start of the capture.</summary>
    public IEnumerable<EventTime> Marks(EventTime start)
    {
        var step = Steps.FirstOrDefault(s => LengthMs / s <= MostMarks, Steps[^1]);
        for (var ms = Math.Ceiling(From.MsSince(start) / step) * step; start.PlusMs(ms) <= To; ms += step)
        {
            yield return start.PlusMs(ms);
        }
    }

    /// <summary>Returns the smallest round number (1, 2 or 5 times a power of ten) that is not below either value.</summary>
    public static double Nice(double value, double least)
    {
        var wanted = Math.Max(value, least);
        var power = Math.Pow(10, Math.Floor(Math.Log10(wanted)));
        return ((double[])[1, 2, 5, 10]).Select(m => m * power).First(v => v >= wanted - 1e-9);
    }
}
