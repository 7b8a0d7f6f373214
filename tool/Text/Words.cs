using System.Text.Json;
using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>Builds the words for enum values in all outputs. The words are a contract with programs that read the outputs.</summary>
static class Words
{
    /// <summary>The word for <see cref="DelayVerdict.AsExpected"/>, kept because programs know it.</summary>
    const string Fits = "fits";

    /// <summary>Returns the word for a value in camel case, such as <c>silentlyStarved</c> or <c>noRule</c>.</summary>
    public static string Of<T>(T value) where T : struct, Enum =>
        value is DelayVerdict.AsExpected ? Fits : JsonNamingPolicy.CamelCase.ConvertName(value.ToString());

    /// <summary>Returns the code of a rule of the runtime, such as <c>G1</c>; null for no rule.</summary>
    public static string? Code(Mechanism rule) => rule == Mechanism.None ? null : $"G{(int)rule}";

    /// <summary>Returns the code of a rule of the runtime; empty for no rule.</summary>
    public static string CodeOrNothing(Mechanism rule) => Code(rule) ?? "";

    /// <summary>Returns the value, or null for NaN and infinity.</summary>
    public static double? Known(double? value) => value is { } v && double.IsFinite(v) ? v : null;

    /// <summary>Returns the process id, or <c>?</c> if a recording does not contain it.</summary>
    public static string Pid(TargetFacts target) =>
        target.Pid == 0 ? "?" : target.Pid.ToString(System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>Whether the report shows if items waited. It does not if the verdict is undecided and no data shows it.</summary>
    public static bool IsStarvingKnown(PoolReport report) =>
        report.StarvedMs > 0 || report.Verdict != Verdict.Undecided || !report.Timeline.CounterSamples.IsEmpty;

    /// <summary>Returns the text on one line, without control characters, because text from a target may contain them.</summary>
    public static string OneLine(string text) =>
        string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)
            .Select(word => new string(word.Where(c => !char.IsControl(c)).ToArray())));
}

/// <summary>Builds parts of sentences that several reports share.</summary>
static class Phrases
{
    /// <summary>Returns why no stacks were taken although the user requested them.</summary>
    public static string NoBurst(PoolReport report) => report.Bursts is { Remarks: [var first, ..] }
        ? char.ToLowerInvariant(first[0]) + Words.OneLine(first)[1..].TrimEnd('.')
        : NoPoolEvents.Is(report.Timeline) ? "the pool sent no event, so it is not known whether items waited"
        : report.Depth.HasFlag(CaptureDepth.Auto) ? "no work item waited or hung for two seconds"
        : "no work item waited while tpwatch watched";

    /// <summary>Returns the number of stack bursts and memory readings: <c>2 bursts of stacks and 1 reading of the memory</c>.</summary>
    public static string Taken(StackBursts bursts)
    {
        var readings = bursts.Taken.Count(b => b.IsReading);
        return string.Join(" and ", new[]
        {
            readings < bursts.Taken.Length ? $"{Format.Plural(bursts.Taken.Length - readings, "burst")} of stacks" : "",
            readings > 0 ? $"{Format.Plural(readings, "reading")} of the memory" : "",
        }.Where(part => part.Length > 0));
    }

    /// <summary>Returns a clause with the maximum time for which the stack bursts paused the target.</summary>
    public static string PausedBy(StackBursts bursts) => bursts.AreReadings
        ? "the process was not paused"
        : $"taking them all paused the process for at most {Format.Duration(bursts.PausedMs)} in total";

    /// <summary>Returns the time in which items waited and its share of the capture: <c>11.1 s of 30.0 s (37%)</c>.</summary>
    public static string Starved(PoolReport report)
    {
        var whole = report.Timeline.Now.MsSince(report.Timeline.Start);
        var share = whole > 0 ? $" of {Format.Duration(whole)} ({Format.Percent(report.StarvedMs / whole)})" : "";
        return report.StarvedMs > 0 ? Format.Duration(report.StarvedMs) + share : Words.IsStarvingKnown(report) ? "never" : NotKnown;
    }

    /// <summary>Returns how complete the capture is: <c>0 lost, read up to 2026-11-21T02:29:30.000Z</c>.</summary>
    public static string Completeness(TimelineSnapshot timeline, TimeStyle time)
    {
        var quality = timeline.Quality;
        var lost = quality.LossUnknown ? "an unknown number of events lost" : $"{Format.Count(quality.Lost)} lost";
        var undecodable = quality.Undecodable > 0 ? $", {Format.Count(quality.Undecodable)} not understood" : "";
        return quality.Events == 0
            ? "no event was read"
            : $"{lost}{undecodable}, read up to {time.Spoken(timeline, quality.CompleteUpTo)}";
    }

    /// <summary>Returns how many finding rules found nothing and how many are undecided: <c>14 checks clear, 2 undecided</c>.</summary>
    public static string Checks(PoolReport report) => string.Join(", ", new[]
    {
        report.Clear.IsEmpty ? "" : $"{Format.Plural(report.Clear.Length, "check")} clear",
        report.Undecided.IsEmpty ? "" : $"{Format.Count(report.Undecided.Length)} undecided",
    }.Where(part => part.Length > 0));

    const string NotKnown = "not known";

    /// <summary>Returns a peak value and other values, as far as known: <c>peak 18; last 17, target 18</c>.</summary>
    public static string Levels(string? peak, params string?[] others) => new[] { peak, string.Join(", ", others.OfType<string>()) }
        .Where(part => part is { Length: > 0 }).ToArray() is { Length: > 0 } known ? string.Join("; ", known) : NotKnown;

    /// <summary>Returns a number after its name: <c>peak 18</c>; null if it is not known.</summary>
    public static string? Named(string name, long? value) => value is { } known ? $"{name} {Format.Count(known)}" : null;

    /// <summary>Returns a count, or <c>?</c> if it is not known.</summary>
    public static string CountOr(long? value) => value is { } v ? Format.Count(v) : "?";
}

/// <summary>Builds texts about the target and the limits of its pool. Unknown values are left out, or listed as not known.</summary>
static class TargetWords
{
    /// <summary>Returns name, pid and runtime: <c>OrderApi, pid 41822, .NET 10.0.1</c>.</summary>
    public static string Brief(TargetFacts target) => Joined(Facts(target).Prepend(target.Name));

    /// <summary>Returns name, pid, runtime and platform: <c>OrderApi, pid 41822, .NET 10.0.1, Linux x64</c>.</summary>
    public static string Whole(TargetFacts target) =>
        Joined([target.Name, .. Facts(target), string.Join(' ', new[] { target.Os, target.Architecture }.OfType<string>())]);

    /// <summary>Returns <c>pid 41822</c> and <c>.NET 10.0.1</c>, as far as known.</summary>
    public static IEnumerable<string> Facts(TargetFacts target) => new[]
    {
        target.Pid == 0 ? null : $"pid {Words.Pid(target)}",
        target.RuntimeVersion is { } version ? $".NET {version}" : null,
    }.OfType<string>();

    /// <summary>
    /// Returns the limits and their sources: <c>8 processors (reported by the runtime), MinThreads 8 (default); MaxThreads not known</c>.
    /// </summary>
    public static string Pool(TargetFacts target)
    {
        (string Name, SourcedValue Of, string? Known)[] limits =
        [
            ("processors", target.Processors, target.Processors.Value is { } count ? Format.Plural(count, "processor") : null),
            ("MinThreads", target.MinWorkers, target.MinWorkers.Value is { } min ? $"MinThreads {Format.Count(min)}" : null),
            ("MaxThreads", target.MaxWorkers, target.MaxWorkers.Value is { } max ? $"MaxThreads {Format.Count(max)}" : null),
        ];
        var known = string.Join(", ", limits.Where(l => l.Known is not null).Select(l => $"{l.Known} ({Source(l.Of.Source)})"));
        var missing = limits.Where(l => l.Known is null).Select(l => l.Name).ToArray();
        var not = missing.Length == 0 ? ""
            : $"{string.Join(", ", missing[..^1])}{(missing.Length > 1 ? " and " : "")}{missing[^1]} not known";
        return string.Join("; ", new[] { known, not }.Where(part => part.Length > 0));
    }

    /// <summary>Returns where a value comes from, in words.</summary>
    public static string Source(SettingSource source) => source switch
    {
        SettingSource.Event => "reported by the runtime",
        SettingSource.Environment => "environment variable",
        SettingSource.Runtimeconfig => "runtimeconfig.json",
        SettingSource.Memory => "read from the process's memory",
        var other => Words.Of(other),
    };

    static string Joined(IEnumerable<string> parts) => string.Join(", ", parts.Where(part => part.Length > 0).Select(Words.OneLine));
}

/// <summary>Builds texts about a finding's evidence: values are rounded to their precision, in the words of the documentation.</summary>
static class EvidenceText
{
    /// <summary>Minimum value that is rounded to a whole number; smaller values have one decimal.</summary>
    const double Whole = 9.95;

    /// <summary>Returns text and value of the evidence: <c>Longest queue: 22 items</c>; only the text if there is no value.</summary>
    public static string Of(Evidence evidence) => Words.Known(evidence.Value) is { } value
        ? $"{Words.OneLine(evidence.Text)}{evidence.Joint}{Value(value, evidence)}"
        : Words.OneLine(evidence.Text);

    /// <summary>Returns the value with its unit; empty if there is no value.</summary>
    public static string Figure(Evidence evidence) => Words.Known(evidence.Value) is { } value ? Value(value, evidence) : "";

    /// <summary>Returns where the evidence comes from, in words for people.</summary>
    public static string Source(Evidence evidence) => Words.OneLine(evidence.Source) switch
    {
        "heartbeat" => "counter samples",
        "gap ledger" => "injection delays",
        "event 55" => "thread count adjustments",
        "event 59" or "configuration or event 59" => "settings",
        "event 31" or "events 30 and 31" => "events of work items",
        "stacks, event 81" => "stacks and lock events",
        "hindrances" => "state of the process",
        "memory" => "memory of the process",
        var other => other,
    };

    // Returns the value with its unit. An estimated duration is rounded more than a measured one.
    static string Value(double value, Evidence evidence) =>
        evidence is { Unit: "ms", IsEstimate: true } ? Format.Rough(value) : Value(value, evidence.Unit ?? "");

    static string Value(double value, string unit) => unit is "ms"
        ? Format.Duration(value)
        : unit is ['%', ..] ? $"{Number(value)}{unit}"
        : $"{Number(value)} {Unit(unit, Number(value) is "1" or "-1")}".TrimEnd();

    static string Number(double value) =>
        double.IsInteger(value) || Math.Abs(value) >= Whole ? Format.Count((long)Math.Round(value))
        : value is > 0 and < 0.1 ? "less than 0.1"
        : value.ToString("0.#", CultureInfo.InvariantCulture);

    static string Unit(string unit, bool one) => unit switch
    {
        "workers" or "worker" => one ? "worker thread" : "worker threads",
        "gaps" => one ? "injection delay" : "injection delays",
        "items" or "adjustments" or "injections" or "threads" or "times" when one => unit[..^1],
        _ => unit,
    };
}

/// <summary>How times are written.</summary>
enum TimeStyle
{
    /// <summary>In UTC by the target's clock, to compare with the service's own log.</summary>
    Utc,

    /// <summary>In seconds since the start of the capture.</summary>
    Elapsed,
}

/// <summary>Writes times in one of the styles.</summary>
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
    /// <summary>Number of decimals of milliseconds: the runtime's rules need microseconds, and the clocks have them.</summary>
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

    /// <summary>Data is missing, up to 5 % of the events and of the time as far as known.</summary>
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

    static double Share(double part, double whole) => whole > 0 ? part / whole : 0;
}
