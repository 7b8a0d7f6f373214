namespace Tpwatch.Text;

/// <summary>How a moment is written.</summary>
enum TimeStyle
{
    /// <summary>The target's wall clock in UTC, to compare with the service's own log.</summary>
    Utc,

    /// <summary>Seconds since the start of the capture.</summary>
    Elapsed,
}

/// <summary>Writes moments in one style.</summary>
static class TimeStyles
{
    const int DateLength = 11;
    const int ClockLength = 12;
    const int ToTheSecond = 8;

    /// <summary>The whole moment: <c>2026-11-21T02:29:06.600Z</c> or <c>12.345</c>.</summary>
    public static string Moment(this TimeStyle style, TimelineSnapshot timeline, EventTime at) =>
        IsUtc(style, timeline) ? Format.Utc(timeline.UtcOf(at)) : Format.Elapsed(at.MsSince(timeline.Start));

    /// <summary>The moment in a table, without the date: <c>02:29:06.600</c> or <c>12.345</c>.</summary>
    public static string Clock(this TimeStyle style, TimelineSnapshot timeline, EventTime at)
    {
        var moment = style.Moment(timeline, at);
        return IsUtc(style, timeline) ? moment.Substring(DateLength, ClockLength) : moment;
    }

    /// <summary>The moment by the target's clock, to compare with a log: <c>02:29:06Z</c>; else the time since the start.</summary>
    public static string Second(TimelineSnapshot timeline, EventTime at) => IsUtc(TimeStyle.Utc, timeline)
        ? TimeStyle.Utc.Clock(timeline, at)[..ToTheSecond] + "Z" : Format.Clock(at.MsSince(timeline.Start), tenths: true);

    /// <summary>The moment in a sentence: <c>2026-11-21T02:29:06.600Z</c> or <c>12.345 s</c>.</summary>
    public static string Spoken(this TimeStyle style, TimelineSnapshot timeline, EventTime at) =>
        IsUtc(style, timeline) ? style.Moment(timeline, at) : style.Moment(timeline, at) + " s";

    // A stream that is damaged at its beginning gives no date.
    static bool IsUtc(TimeStyle style, TimelineSnapshot timeline) => style == TimeStyle.Utc && timeline.StartUtc != default;
}
