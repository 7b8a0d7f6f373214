namespace Tpwatch.Text;

/// <summary>Numbers for documents such as JSON: rounded to the measured precision, never NaN.</summary>
static class Numbers
{
    /// <summary>Decimals of a value in milliseconds: microseconds are the resolution that the rules need and the clocks support.</summary>
    const int MsDigits = 3;

    /// <summary>The moment in milliseconds since the start of the capture, rounded.</summary>
    public static double At(TimelineSnapshot timeline, EventTime at) => Math.Round(at.MsSince(timeline.Start), MsDigits);

    /// <summary>Milliseconds, rounded; null if not known.</summary>
    public static double? Ms(double? milliseconds) => Rounded(milliseconds, MsDigits);

    /// <summary>A share, 0 to 1, rounded; null if not known.</summary>
    public static double? Share(double? share) => Rounded(share, 4);

    /// <summary>A rate or another figure, rounded; null if not known.</summary>
    public static double? Rounded(double? value, int digits) => Words.Known(value) is { } v ? Math.Round(v, digits) : null;

    /// <summary>The moment by the target's wall clock; null if the stream gave no start time.</summary>
    public static DateTime? UtcOf(TimelineSnapshot timeline, EventTime at) => timeline.StartUtc == default ? null : Utc(timeline.UtcOf(at));

    /// <summary>The moment marked as UTC, so that it is written with a Z.</summary>
    public static DateTime Utc(DateTime moment) => DateTime.SpecifyKind(moment, DateTimeKind.Utc);
}
