using Tpwatch.Reports;
using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>Requests by route; nothing where they were not watched.</summary>
static class RequestsSection
{
    /// <summary>Routes that are listed.</summary>
    const int Told = 20;

    public static Markup Of(PoolReport report) => report.Requests is not { } requests ? Markup.None : Markup.Of($"""
        <section id="requests"><h2>Requests</h2><p>By time lost while the pool starved. Watched for {Format.Duration(requests.Watched.Ms)}; {Format.Count(requests.UnderWay)} still running{(requests.Unmatched == 0 ? "" : $", {Format.Count(requests.Unmatched)} with start or end missing")}.</p>
        <div class="scroll"><table><thead><tr><th>route<th>lost<th>running<th>requests<th>p50<th>p99<th>longest<th>p50 before<th>p50 starved<th>p50 after</thead><tbody>{requests.Routes.Take(Told).Select(Row)}</tbody></table></div></section>
        """);

    static Markup Row(RouteTimes route) => Markup.Of(
        $"<tr><td><bdi><code>{route.Route}</code></bdi><td class=\"n\">{Format.Duration(route.LostMs)}<td class=\"n\">"
            + $"{Format.Count(route.UnderWay)}<td class=\"n\">{Format.Count(route.All.Count)}<td class=\"n\">"
            + $"{Figure(route.All, LowerBounds.P50)}<td class=\"n\">{Figure(route.All, LowerBounds.P99)}<td class=\"n\">"
            + $"{Figure(route.All, LowerBounds.Max)}<td class=\"n\">{Figure(route.Before, LowerBounds.P50)}<td class=\"n\">"
            + $"{Figure(route.During, LowerBounds.P50)}<td class=\"n\">{Figure(route.After, LowerBounds.P50)}");

    static string Figure(Distribution? part, LowerBounds which) => part is { IsKnown: true } ? Quantiles.Of(part, which).Text : "";
}
