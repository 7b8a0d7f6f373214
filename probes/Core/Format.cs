namespace Tpwatch.Core;

/// <summary>The only place that formats durations, counts, rates, shares and moments, for sentences and for screens.</summary>
static class Format
{
    static readonly CultureInfo Invariant = CultureInfo.InvariantCulture;

    /// <summary>Whole milliseconds: <c>1003ms</c>.</summary>
    public static string Ms(double milliseconds) => string.Create(Invariant, $"{Math.Round(milliseconds):0}ms");

    /// <summary>
    /// A duration for a sentence: <c>0.3 ms</c>, <c>250 ms</c>, <c>11.1 s</c>, <c>1 min 38 s</c>, <c>2 h 10 min</c>. Seconds are used from
    /// 979.5 ms on, because two counter samples at one per second can be up to 20 ms less than a second apart.
    /// </summary>
    public static string Duration(double milliseconds) => milliseconds switch
    {
        < 0 => "-" + Duration(-milliseconds),
        < 9.95 => string.Create(Invariant, $"{milliseconds:0.0} ms"),
        < 979.5 => string.Create(Invariant, $"{milliseconds:0} ms"),
        < 59_950 => string.Create(Invariant, $"{milliseconds / 1000:0.0} s"),
        < 60_000 => "1 min 00 s",
        < 7_199_500 => string.Create(Invariant, $"{(int)(milliseconds / 60_000)} min {(int)(milliseconds / 1000) % 60:00} s"),
        < 7_200_000 => "2 h 00 min",
        _ => string.Create(Invariant, $"{(int)(milliseconds / 3_600_000)} h {(int)(milliseconds / 60_000) % 60:00} min"),
    };

    /// <summary>
    /// An estimated duration, rounded to the accuracy of an estimate: <c>under 1 ms</c>, <c>3 ms</c>, <c>680 ms</c>, <c>5.9 s</c>,
    /// <c>38 s</c>, <c>2 min 20 s</c>.
    /// </summary>
    public static string Rough(double milliseconds) => milliseconds switch
    {
        < 1 => "under 1 ms",
        < 9.95 => string.Create(Invariant, $"{milliseconds:0} ms"),
        >= 99.5 and < 950 => string.Create(Invariant, $"{Math.Round(milliseconds / 10) * 10:0} ms"),
        >= 9_950 and < 59_950 => string.Create(Invariant, $"{milliseconds / 1000:0} s"),
        >= 115_000 => Duration(Math.Round(milliseconds / 10_000) * 10_000),
        _ => Duration(milliseconds),
    };

    /// <summary>The lower bound of an estimated range; from 950 ms on <c>1.0 s</c>, if the upper bound is shown in seconds.</summary>
    public static string Rough(double milliseconds, double longerMs) =>
        milliseconds is >= 950 and < 999.5 && longerMs >= 999.5 ? "1.0 s" : Rough(milliseconds);

    /// <summary>An estimated duration with "about": <c>about 37 s</c>; below one millisecond <c>less than 1 ms</c>.</summary>
    public static string About(double milliseconds) => milliseconds < 1 ? "less than 1 ms" : $"about {Rough(milliseconds)}";

    /// <summary>A count with a space between groups of three digits: <c>1 284</c>.</summary>
    public static string Count(long count) => count.ToString("#,0", Invariant).Replace(',', ' ');

    /// <summary>A rate per second: <c>2.5/s</c>, <c>510/s</c>.</summary>
    public static string Rate(double perSecond) =>
        perSecond < 9.95 ? string.Create(Invariant, $"{perSecond:0.0}/s") : string.Create(Invariant, $"{perSecond:0}/s");

    /// <summary>A share as whole percent: 0.062 is <c>6%</c>. Only a full share is 100%: 0.998 is <c>99%</c>.</summary>
    public static string Percent(double share) => share is >= 0.995 and < 1 ? "99%"
        : string.Create(Invariant, $"{Math.Round(share * 100):0}%");

    /// <summary>A share as percent, with one decimal below 10%, where whole percents are too coarse: 0.008 is <c>0.8%</c>.</summary>
    public static string FinePercent(double share) => share < 0.0995 ? string.Create(Invariant, $"{share * 100:0.#}%") : Percent(share);

    /// <summary>A moment of the target's wall clock, UTC with milliseconds: <c>2026-11-21T02:29:06.600Z</c>.</summary>
    public static string Utc(DateTime utc) => utc.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", Invariant);

    /// <summary>Seconds since the start of the capture: <c>12.345</c>.</summary>
    public static string Elapsed(double milliseconds) => string.Create(Invariant, $"{milliseconds / 1000:0.000}");

    /// <summary>A number with its noun: <c>1 worker</c>, <c>9 workers</c>.</summary>
    public static string Plural(long count, string singular, string? plural = null) =>
        $"{Count(count)} {(count == 1 ? singular : plural ?? singular + "s")}";

    /// <summary>Words for how often something happened: <c>once</c>, <c>twice</c>, <c>12 times</c>.</summary>
    public static string Times(long count) => count switch { 1 => "once", 2 => "twice", _ => $"{Count(count)} times" };

    /// <summary>A duration as minutes and seconds, and hours if any: <c>02:41</c>, <c>1:02:41</c>; with tenths <c>02:41.3</c>.</summary>
    public static string Clock(double milliseconds, bool tenths = false)
    {
        var unit = tenths ? 100 : 1000;
        var span = TimeSpan.FromMilliseconds(Math.Floor(Math.Max(0, milliseconds) / unit) * unit);
        var hours = span.TotalHours >= 1 ? string.Create(Invariant, $"{(long)span.TotalHours}:") : "";
        return hours + span.ToString(tenths ? @"mm\:ss\.f" : @"mm\:ss", Invariant);
    }

    /// <summary>How far a moment lies before the newest moment: <c>-11.9s</c>, <c>-125s</c>, or <c>now</c>.</summary>
    public static string Ago(double milliseconds) => milliseconds switch
    {
        < 50 => "now",
        < 99_950 => string.Create(Invariant, $"-{milliseconds / 1000:0.0}s"),
        _ => string.Create(Invariant, $"-{milliseconds / 1000:0}s"),
    };

    /// <summary>Seconds for a scale or an axis, with up to two decimals and no trailing zeros: <c>0.25s</c>, <c>3s</c>.</summary>
    public static string Seconds(double milliseconds) => string.Create(Invariant, $"{milliseconds / 1000:0.##}s");

    /// <summary>A count in five characters or fewer: <c>840</c>, <c>1.2k</c>, <c>32k</c>, <c>1.5M</c>.</summary>
    public static string Brief(double count) => count switch
    {
        < 999.5 => string.Create(Invariant, $"{count:0}"),
        < 9_950 => string.Create(Invariant, $"{count / 1_000:0.#}k"),
        < 999_500 => string.Create(Invariant, $"{count / 1_000:0}k"),
        < 9_950_000 => string.Create(Invariant, $"{count / 1_000_000:0.#}M"),
        _ => string.Create(Invariant, $"{count / 1_000_000:0}M"),
    };
}
