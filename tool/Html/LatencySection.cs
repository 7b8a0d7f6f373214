using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>How long items waited and ran.</summary>
static class LatencySection
{
    /// <summary>The section; without items it says how to get them.</summary>
    public static Markup Of(PoolReport report) => Markup.Of($"""
        <section id="latency"><h2>Latency</h2>{(report.QueueDelay is null && report.RunTime is null ? Markup.Of($"<p>Single items were not measured, so it is not known how long each one waited: use <code>--depth items</code>. The queue length and the longest proven wait are known anyway.</p>") : Markup.None)}{One(report.QueueDelay, "Queue time", "from queued to started")}{One(report.RunTime, "Run time", "from started to completed")}</section>
        """);

    static Markup One(Distribution? of, string title, string means) => of is null ? Markup.None : Markup.Of($"""
        <h3>{title} <small>{means}</small></h3><p>{HistogramSvg.Described(of)}.{(of.Unmatched > 0 ? $" Of {Format.Plural(of.Unmatched, "more item")}, only the start or the end was seen." : "")}</p>{HistogramSvg.Draw(of, title)}
        <details><summary>The same as a table</summary><table><thead><tr><th>from<th>below<th>items</thead><tbody>{of.Buckets.Select(b => Markup.Of($"<tr><td class=\"n\">{Format.Duration(b.FromMs)}<td class=\"n\">{Format.Duration(b.ToMs)}<td class=\"n\">{Format.Count(b.Count)}"))}</tbody></table></details>
        """);
}
