using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Render.Shared;
using Tpwatch.Render.Svg;
using Tpwatch.Reports;
using Tpwatch.WhatIf.Study;

namespace Tpwatch.Render.Html;

/// <summary>The same arrivals in another world: what changes, and both curves.</summary>
internal static class WhatIfSection
{
    /// <summary>Stretches of a curve: finer, and nobody sees it.</summary>
    const int Columns = 160;

    /// <summary>The section.</summary>
    public static Markup Of(PoolReport report, ImmutableArray<WhatIfAnswer> answers) => Markup.Of($"""
        <section id="whatif"><h2>What if</h2>{(answers.IsEmpty ? Markup.Of($"<p>Nothing was imagined: no items waited, or too little is known of them. <code>dotnet tpwatch whatif</code> tries any change.</p>") : Markup.None)}{answers.Select(a => One(report, a))}</section>
        """);

    static Markup One(PoolReport report, WhatIfAnswer a) => Markup.Of($"""
        <article class="whatif"><h3>{a.Change.Words}</h3><div class="scroll"><table><thead><tr><td><th>seen<th>imagined</thead><tbody>{Rows(a)}</tbody></table></div>
        {CurveSvg.Draw(WhatIfCurve.Of(report, a, Columns), $"Workers and backlog, as seen and with {a.Change.Words}: most workers {Phrases.CountOr(a.Seen.PeakWorkers)} and {Phrases.CountOr(a.Imagined.PeakWorkers)}, largest backlog {Phrases.CountOr(a.Seen.PeakBacklog)} and {Phrases.CountOr(a.Imagined.PeakBacklog)}.")}
        <ul class="legend"><li><i class="k-seen"></i>as seen</li><li><i class="k-imagined"></i>imagined</li></ul><p><small>Basis: {Words.OneLine(a.Basis).TrimEnd('.')}. {Words.OneLine(a.Uncertainty)} {string.Join(' ', a.Remarks.Select(Words.OneLine))}</small></p></article>
        """);

    static Markup Rows(WhatIfAnswer a)
    {
        (string What, string Seen, string Imagined)[] rows =
        [
            ("until all had ended", Text(a.Seen.TotalMs), Text(a.Imagined.TotalMs)),
            ("wait for a worker, mean", Text(a.Seen.StartDelayMs), Text(a.Imagined.StartDelayMs)),
            ("queued to ended, mean", Text(a.Seen.LatencyMs), Text(a.Imagined.LatencyMs)),
            ("most workers", Phrases.CountOr(a.Seen.PeakWorkers), Phrases.CountOr(a.Imagined.PeakWorkers)),
            ("largest backlog", Phrases.CountOr(a.Seen.PeakBacklog), Phrases.CountOr(a.Imagined.PeakBacklog)),
            ("starved", Text(a.Seen.StarvedMs), Text(a.Imagined.StarvedMs)),
        ];
        return Markup.Join(rows.Select(r => Markup.Of($"<tr><th scope=\"row\">{r.What}<td class=\"n\">{r.Seen}<td class=\"n\">{r.Imagined}")));
    }

    static string Text(double? ms) => ms is { } known ? Format.Duration(known) : "?";
}
