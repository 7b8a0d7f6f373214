using Tpwatch.Reports;

namespace Tpwatch.Text;

/// <summary>HTTP requests by route, the routes that lost most time first.</summary>
static class RequestsRenderer
{
    /// <summary>Most routes in the short report.</summary>
    const int Places = 2;

    /// <summary>Most routes in the whole report.</summary>
    const int Told = 10;

    const int Column = 10;

    /// <summary>Routes that lost less time than this are left out of the short report, milliseconds.</summary>
    const double WorthTelling = 100;

    const string Unknown = "It is not known which route holds the threads, because its requests began before tpwatch watched and have "
        + "not ended.";

    static readonly string[] Heads = ["p50", "p90", "p95", "p99", "p99.9", "max", "requests"];

    /// <summary>The routes that lost most time, one text each, or why no route is known; none for a healthy target.</summary>
    public static IEnumerable<LabelledText> Brief(PoolReport report) => (report.Requests?.Routes ?? [])
        .Where(r => r is { LostMs: >= WorthTelling, During: not null }).Take(Places)
        .Select(route => Words.OneLine(Sentence(route)))
        .Concat(IsUnknown(report) ? [Unknown] : [])
        .Select((text, i) => new LabelledText(i == 0 ? "requests" : "", text));

    // Only if requests were watched, and only for a server that reports them (ASP.NET Core).
    static bool IsUnknown(PoolReport report) => (report.Depth & (CaptureDepth.Auto | CaptureDepth.Requests)) != 0
        && report.Verdict.IsTrouble() && report.Blockers is [{ Routes.IsEmpty: true } first, ..]
        && first.Stack.Any(frame => frame.StartsWith("Microsoft.AspNetCore.Server.", StringComparison.Ordinal)
            || frame.StartsWith("Microsoft.AspNetCore.Routing.", StringComparison.Ordinal));

    /// <summary>The lines of the section; none if requests were not watched.</summary>
    public static IEnumerable<string> Lines(PoolReport report) => report.Requests is not { } requests ? [] :
    [
        .. TextLayout.Title(report.Episodes.IsEmpty ? "Requests by route" : "Requests, by time lost while the pool starved"),
        .. TextLayout.Fact("watched", $"for {Format.Duration(requests.Watched.Ms)}; "
            + $"{Format.Plural(requests.UnderWay, "request")} still running"
            + (requests.Unmatched == 0 ? "" : $"; {Format.Count(requests.Unmatched)} others not counted, because "
                + "their start or end was not seen")),
        $"  {"",-16}{string.Concat(Heads.Select(h => h.PadLeft(Column)))}",
        .. requests.Routes.Take(Told).SelectMany(route => Rows(route, report.IsNow)),
        .. requests.Routes.Take(Told).Any(HasBounds) ? TextLayout.Fact(">=", "a lower bound, since some requests still run") : [],
    ];

    /// <summary>Shorter times would be written as 0.0 ms and are left out, milliseconds.</summary>
    const double LeastToldMs = 0.1;

    // ASP.NET Core starts a request when a worker thread has read its first bytes.
    const string FromThread = "counted from when a thread took the request";

    static string Sentence(RouteTimes route)
    {
        var during = route.During!;
        var before = (route.Before ?? route.After) is { P50Ms: >= LeastToldMs } usual
            ? $" (at other times {Format.Duration(usual.P50Ms)})" : "";
        var open = route.UnderWay > 0 ? $"; {Format.Count(route.UnderWay)} still running" : "";
        var longest = $"{(during.AtLeast.HasFlag(LowerBounds.Max) ? ">= " : "")}{Format.Duration(during.MaxMs)}";
        return !during.HasEnoughFor(LowerBounds.P50)
            ? $"{route.Route}: one request took {longest} while the pool starved{before}, {FromThread}{open}"
            : $"{route.Route}: half of the requests took {Format.Duration(during.P50Ms)} or more while the pool starved{before}, "
                + $"the longest {longest}, {FromThread}{open}";
    }

    static IEnumerable<string> Rows(RouteTimes route, bool isNow) =>
    [
        .. TextLayout.Point("-", Words.OneLine(Heading(route)), 2),
        .. Row("all", route.All),
        .. route.During is null
            ? []
            : (string[])[.. Row("before", route.Before), .. Row("starved", route.During), .. isNow ? [] : Row("after", route.After)],
    ];

    static bool HasBounds(RouteTimes route) =>
        new[] { route.All, route.Before, route.During, route.After }.Any(part => part is { IsKnown: true, AtLeast: not LowerBounds.None });

    static string Heading(RouteTimes route)
    {
        string[] told =
        [
            .. route.LostMs < LeastToldMs ? [] : new[] { $"{Format.Duration(route.LostMs)} lost, summed over its requests" },
            .. route.UnderWay == 0 ? [] : new[] { $"{Format.Count(route.UnderWay)} still running" },
        ];
        return told is [] ? route.Route : $"{route.Route}: {string.Join(", ", told)}";
    }

    static IEnumerable<string> Row(string name, Distribution? part) => part is not { IsKnown: true }
        ? []
        : [$"  {"  " + name,-16}{string.Concat(Quantiles.Of(part).Select(q => q.Text.PadLeft(Column)))}"
            + $"{Format.Count(part.Counted),Column}"];
}
