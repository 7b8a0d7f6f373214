using Tpwatch.Reports;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON object for the HTTP requests by route, with the route that lost most time first.</summary>
sealed record RequestsSection(
    double From, double To, int UnderWay, long Unmatched, IReadOnlyList<RouteSection> Routes, IReadOnlyList<RequestPointSection> OverTime)
{
    /// <summary>Returns the requests of a report; null if requests were not measured.</summary>
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

/// <summary>The requests of a route; <paramref name="During"/> are the requests that overlapped starvation.</summary>
sealed record RouteSection(
    string Route, long Count, double? P50Ms, double? P99Ms, double? MaxMs, int UnderWay, double? LostMs,
    RoutePartSection? Before, RoutePartSection? During, RoutePartSection? After);

/// <summary>The requests of a route in one period; null if the period has none.</summary>
sealed record RoutePartSection(long Count, double? P50Ms, double? P99Ms, double? MaxMs)
{
    public static RoutePartSection? Of(Distribution? part) => part is null ? null : new(
        part.Count, RequestsSection.Ms(part, part.P50Ms), RequestsSection.Ms(part, part.P99Ms), RequestsSection.Ms(part, part.MaxMs));
}

/// <summary>One second: number of ended requests, maximum number of simultaneous requests, duration of the slowest ended one.</summary>
sealed record RequestPointSection(double T, long Ended, int UnderWay, double? SlowestMs);

/// <summary>Share of a blocker's stack samples that served a route; <paramref name="Sure"/> is false if that is only likely.</summary>
sealed record RouteShareSection(string Route, double? Share, bool Sure);
