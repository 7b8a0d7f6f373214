namespace Tpwatch.Html;

/// <summary>Where a timeline lies on the drawing: which time is where.</summary>
/// <param name="From">Time at the left edge of the lanes.</param>
/// <param name="To">Time at their right edge.</param>
sealed record Plot(EventTime From, EventTime To)
{
    /// <summary>Where lanes begin; names and scales stand before.</summary>
    public const double Left = 74;

    /// <summary>Where lanes end; the newest values stand behind.</summary>
    public const double Right = 916;

    /// <summary>Distances between marks of the axis, milliseconds.</summary>
    static readonly double[] Steps =
    [
        50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000,
    ];

    /// <summary>More marks than this run into each other.</summary>
    const int MostMarks = 9;

    /// <summary>The part of a capture of which lanes are kept.</summary>
    public static Plot Of(TimelineSnapshot timeline)
    {
        var from = timeline.Buckets.FirstIndex > 0 ? timeline.Buckets.TimeOf(timeline.Buckets.FirstIndex) : timeline.Start;
        return new(from, EventTime.Max(timeline.Now, from.PlusMs(1)));
    }

    /// <summary>Milliseconds from edge to edge.</summary>
    public double LengthMs => To.MsSince(From);

    /// <summary>Where a moment lies; those outside lie at the edges.</summary>
    public double X(EventTime at) => Left + Math.Clamp(at.MsSince(From) / LengthMs, 0, 1) * (Right - Left);

    /// <summary>Whether a moment is drawn.</summary>
    public bool Shows(EventTime at) => at >= From && at <= To;

    /// <summary>The moments that the axis names: round ones since the start of the capture.</summary>
    public IEnumerable<EventTime> Marks(EventTime start)
    {
        var step = Steps.FirstOrDefault(s => LengthMs / s <= MostMarks, Steps[^1]);
        for (var ms = Math.Ceiling(From.MsSince(start) / step) * step; start.PlusMs(ms) <= To; ms += step)
        {
            yield return start.PlusMs(ms);
        }
    }

    /// <summary>The next round number that is not below: 1, 2 or 5 times a power of ten.</summary>
    public static double Nice(double value, double least)
    {
        var wanted = Math.Max(value, least);
        var power = Math.Pow(10, Math.Floor(Math.Log10(wanted)));
        return ((double[])[1, 2, 5, 10]).Select(m => m * power).First(v => v >= wanted - 1e-9);
    }
}
