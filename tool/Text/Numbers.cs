namespace Tpwatch.Text;

/// <summary>Numbers as a document carries them: rounded to what was measured, never NaN.</summary>
static class Numbers
{
    /// <summary>Microseconds: the resolution that the rules need, and no digits of doubtful meaning.</summary>
    const int MsDigits = 3;

    /// <summary>Milliseconds since the start of the capture.</summary>
    public static double At(TimelineSnapshot timeline, EventTime at) => Math.Round(at.MsSince(timeline.Start), MsDigits);

    /// <summary>Milliseconds.</summary>
    public static double? Ms(double? milliseconds) => Rounded(milliseconds, MsDigits);

    /// <summary>A share, 0 to 1.</summary>
    public static double? Share(double? share) => Rounded(share, 4);

    /// <summary>A rate or another figure.</summary>
    public static double? Rounded(double? value, int digits) => Words.Known(value) is { } v ? Math.Round(v, digits) : null;

    /// <summary>The target's wall clock; null when nothing came that says it.</summary>
    public static DateTime? UtcOf(TimelineSnapshot timeline, EventTime at) => timeline.StartUtc == default ? null : Utc(timeline.UtcOf(at));

    /// <summary>Written with a Z.</summary>
    public static DateTime Utc(DateTime moment) => DateTime.SpecifyKind(moment, DateTimeKind.Utc);
}
