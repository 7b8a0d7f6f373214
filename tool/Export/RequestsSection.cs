using Tpwatch.Reports;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>HTTP requests by route, the one that lost most time first.</summary>
sealed record RequestsSection(
    double From, double To, int UnderWay, long Unmatched, IReadOnlyList<RouteSection> Routes, IReadOnlyList<RequestPointSection> OverTime)
{
    /// <summary>Those of a report; null where they were not watched.</summary>
    public static RequestsSection? Of(PoolReport report) => report.Requests is not { } requests ? null : new(
        Numbers.At(report.Timeline, requests.Watched.From), Numbers.At(report.Timeline, requests.Watched.To),
        requests.UnderWay, requests.Unmatched,
        [.. requests.Routes.Select(r => new RouteSection(
            r.Route, r.All.Count, Ms(r.All, r.All.P50Ms), Ms(r.All, r.All.P99Ms), Ms(r.All, r.All.MaxMs), r.UnderWay, Numbers.Ms(r.LostMs),
            RoutePartSection.Of(r.Before), RoutePartSection.Of(r.During), RoutePartSection.Of(r.After)))],
        [.. requests.OverTime.Select(p => new RequestPointSection(
            Numbers.At(report.Timeline, p.Span.From), p.Ended, p.UnderWay, p.Ended > 0 ? Numbers.Ms(p.SlowestMs) : null))]);

    public static double? Ms(Distribution part, double milliseconds) => part.IsKnown ? Numbers.Ms(milliseconds) : null;
}

/// <summary>The requests of a route; <paramref name="During"/> are those that met starvation.</summary>
sealed record RouteSection(
    string Route, long Count, double? P50Ms, double? P99Ms, double? MaxMs, int UnderWay, double? LostMs,
    RoutePartSection? Before, RoutePartSection? During, RoutePartSection? After);

/// <summary>Some of a route's requests; null where there is none.</summary>
sealed record RoutePartSection(long Count, double? P50Ms, double? P99Ms, double? MaxMs)
{
    public static RoutePartSection? Of(Distribution? part) => part is null ? null : new(
        part.Count, RequestsSection.Ms(part, part.P50Ms), RequestsSection.Ms(part, part.P99Ms), RequestsSection.Ms(part, part.MaxMs));
}

/// <summary>One second: how many ended, how many were under way at most, the slowest that ended.</summary>
sealed record RequestPointSection(double T, long Ended, int UnderWay, double? SlowestMs);

/// <summary>Of the samples at one place, the share that served a route; <paramref name="Sure"/> unless it is only likely.</summary>
sealed record RouteShareSection(string Route, double? Share, bool Sure);
