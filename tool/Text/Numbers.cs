using System.Text.Json.Serialization;

namespace Tpwatch.Text;

enum TimeStyle
{
    /// <summary>In UTC by the target's clock, to compare with the service's own log.</summary>
    Utc,

    /// <summary>In seconds since the start of the capture.</summary>
    Elapsed,
}

static class TimeStyleExtensions
{
    const int DateLength = 11;
    const int ClockLength = 12;
    const int ToTheSecond = 8;

    /// <summary>Returns the full time: <c>2026-11-21T02:29:06.600Z</c> or <c>12.345</c>.</summary>
    public static string Moment(this TimeStyle style, TimelineSnapshot timeline, EventTime at) =>
        IsUtc(style, timeline) ? Format.Utc(timeline.UtcOf(at)) : Format.Elapsed(at.MsSince(timeline.Start));

    /// <summary>Returns the time without the date, for a table: <c>02:29:06.600</c> or <c>12.345</c>.</summary>
    public static string Clock(this TimeStyle style, TimelineSnapshot timeline, EventTime at)
    {
        var moment = style.Moment(timeline, at);
        return IsUtc(style, timeline) ? moment.Substring(DateLength, ClockLength) : moment;
    }

    /// <summary>Returns the time as in a log, <c>02:29:06Z</c>, or seconds since the start if the stream has no date.</summary>
    public static string Second(TimelineSnapshot timeline, EventTime at) => IsUtc(TimeStyle.Utc, timeline)
        ? TimeStyle.Utc.Clock(timeline, at)[..ToTheSecond] + "Z" : Format.Clock(at.MsSince(timeline.Start), tenths: true);

    /// <summary>Returns the full time for a sentence: <c>2026-11-21T02:29:06.600Z</c> or <c>12.345 s</c>.</summary>
    public static string Spoken(this TimeStyle style, TimelineSnapshot timeline, EventTime at) =>
        IsUtc(style, timeline) ? style.Moment(timeline, at) : style.Moment(timeline, at) + " s";

    // Whether to write UTC, which needs a date; a stream damaged at its beginning has none.
    static bool IsUtc(TimeStyle style, TimelineSnapshot timeline) => style == TimeStyle.Utc && timeline.StartUtc != default;
}

/// <summary>Rounds numbers for documents such as JSON. The results are never NaN.</summary>
static class Numbers
{
    /// <summary>Number of decimals of a time in milliseconds. The runtime's rules need microseconds.</summary>
    const int MsDigits = 3;

    /// <summary>Returns a time as rounded milliseconds since the start of the capture.</summary>
    public static double At(TimelineSnapshot timeline, EventTime at) => Math.Round(at.MsSince(timeline.Start), MsDigits);

    /// <summary>Returns rounded milliseconds; null if not known.</summary>
    public static double? Ms(double? milliseconds) => Rounded(milliseconds, MsDigits);

    /// <summary>Returns a rounded share, 0 to 1; null if not known.</summary>
    public static double? Share(double? share) => Rounded(share, 4);

    /// <summary>Returns a number rounded to <paramref name="digits"/> decimals; null if not known.</summary>
    public static double? Rounded(double? value, int digits) => Words.Known(value) is { } v ? Math.Round(v, digits) : null;

    /// <summary>Returns the time in UTC by the target's clock; null if the stream has no date.</summary>
    public static DateTime? UtcOf(TimelineSnapshot timeline, EventTime at) => timeline.StartUtc == default ? null : Utc(timeline.UtcOf(at));

    /// <summary>Returns the time marked as UTC, so that its text ends with Z.</summary>
    public static DateTime Utc(DateTime moment) => DateTime.SpecifyKind(moment, DateTimeKind.Utc);
}

/// <summary>A quantile of queue times, run times or request times, for output.</summary>
/// <param name="Ms">The value, milliseconds.</param>
/// <param name="IsLeast">Whether the value is only a lower bound, because some items still wait or run.</param>
/// <param name="OfFew">Whether there are too few items for this quantile, so that its text is empty.</param>
readonly record struct Quantile(double Ms, bool IsLeast, bool OfFew)
{
    /// <summary>The text for the cell of a table; empty if there are too few items.</summary>
    public string Text => OfFew ? "" : $"{Mark}{Format.Duration(Ms)}";

    /// <summary><c>&gt;=</c> for a lower bound, else empty.</summary>
    public string Mark => IsLeast ? ">=" : "";
}

/// <summary>Computes the quantiles of a distribution.</summary>
static class Quantiles
{
    /// <summary>Returns all quantiles, from the median to the maximum.</summary>
    public static Quantile[] Of(Distribution part) =>
    [
        Of(part, LowerBounds.P50), Of(part, LowerBounds.P90), Of(part, LowerBounds.P95), Of(part, LowerBounds.P99),
        Of(part, LowerBounds.P999), Of(part, LowerBounds.Max),
    ];

    public static Quantile Of(Distribution part, LowerBounds which) => new(
        which switch
        {
            LowerBounds.P50 => part.P50Ms,
            LowerBounds.P90 => part.P90Ms,
            LowerBounds.P95 => part.P95Ms,
            LowerBounds.P99 => part.P99Ms,
            LowerBounds.P999 => part.P999Ms,
            _ => part.MaxMs,
        },
        part.AtLeast.HasFlag(which), !part.HasEnoughFor(which));
}

/// <summary>How complete a capture is, in one word.</summary>
enum CaptureGrade
{
    /// <summary>No data is known to be missing.</summary>
    Good,

    /// <summary>Data is missing: as far as known, up to 5 % of the events and of the time.</summary>
    Degraded,

    /// <summary>More than 5 % of the events or of the time is missing, so totals are only lower bounds.</summary>
    Poor,
}

/// <summary>Grades captures by the share of lost events and lost time.</summary>
static class CaptureGrades
{
    /// <summary>Share of lost events or of lost time above which the grade is <see cref="CaptureGrade.Poor"/>.</summary>
    const double PoorShare = 0.05;

    public static CaptureGrade Of(TimelineSnapshot timeline)
    {
        var quality = timeline.Quality;
        if (quality is { Lost: 0, LossUnknown: false, Undecodable: 0, LossSpans.Length: 0 })
        {
            return CaptureGrade.Good;
        }

        var lostEvents = Share(quality.Lost + quality.Undecodable, quality.Events + quality.Lost);
        var lostTime = Share(quality.LossSpans.Sum(s => s.Ms), timeline.Now.MsSince(timeline.Start));
        return Math.Max(lostEvents, lostTime) > PoorShare ? CaptureGrade.Poor : CaptureGrade.Degraded;
    }

    /// <summary>Returns how complete the capture is: <c>0 lost, read up to 2026-11-21T02:29:30.000Z</c>.</summary>
    public static string InWords(TimelineSnapshot timeline, TimeStyle time)
    {
        var quality = timeline.Quality;
        var lost = quality.LossUnknown ? "an unknown number of events lost" : $"{Format.Count(quality.Lost)} lost";
        var undecodable = quality.Undecodable > 0 ? $", {Format.Count(quality.Undecodable)} not understood" : "";
        return quality.Events == 0
            ? "no event was read"
            : $"{lost}{undecodable}, read up to {time.Spoken(timeline, quality.CompleteUpTo)}";
    }

    static double Share(double part, double whole) => whole > 0 ? part / whole : 0;
}

/// <summary>The values of all curves <c>T</c> milliseconds after the start of the capture, from one or more timeline buckets.</summary>
sealed record SeriesPoint(double T, int? Workers, [property: JsonPropertyName("goal")] int? TargetThreads,
    [property: JsonPropertyName("backlog")] long? QueueLength, double? CompletedPerSecond, double? Cpu)
{
    /// <summary>Maximum number of points for a capture of any length; a chart has fewer columns.</summary>
    public const int MaxPoints = 600;

    /// <summary>Returns the points of a capture, <see cref="MaxPoints"/> or fewer.</summary>
    public static IReadOnlyList<SeriesPoint> Of(TimelineSnapshot timeline)
    {
        var buckets = timeline.Buckets;
        var count = buckets.EndIndex - buckets.FirstIndex;
        var fold = (int)Math.Max(1, (count + MaxPoints - 1) / MaxPoints);
        var points = new List<SeriesPoint>();
        for (var first = buckets.FirstIndex; first < buckets.EndIndex; first += fold)
        {
            points.Add(Fold(timeline, first, Math.Min(first + fold, buckets.EndIndex)));
        }

        return points;
    }

    static SeriesPoint Fold(TimelineSnapshot timeline, long first, long end)
    {
        var known = new List<Bucket>();
        for (var i = first; i < end; i++)
        {
            if (timeline.Buckets[i] is { Lost: false } bucket)
            {
                known.Add(bucket);
            }
        }

        // A point has the maximum thread count and queue length, so that no peak is lost, the mean rates, and the newest target.
        return new(
            Numbers.At(timeline, timeline.Buckets.TimeOf(first)),
            (int?)Highest(known.Select(b => (long)b.WorkersMax)), (int?)Newest(known.Select(b => (long)b.TargetThreads)),
            Highest(known.Select(b => b.QueueLength)), Numbers.Rounded(Mean(known.Select(b => b.CompletedPerSecond)), 2),
            Numbers.Share(Mean(known.Select(b => b.Cpu))));
    }

    static long? Highest(IEnumerable<long> values) => values.Where(v => v >= 0).Select(v => (long?)v).Max();

    static long? Newest(IEnumerable<long> values) => values.Where(v => v >= 0).Select(v => (long?)v).LastOrDefault();

    static double? Mean(IEnumerable<float> values) => values.Where(float.IsFinite).Select(v => (double?)v).Average();
}
