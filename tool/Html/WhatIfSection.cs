using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Html;

/// <summary>The same arrivals in another world: what changes, and both curves.</summary>
static class WhatIfSection
{
    /// <summary>Stretches of a curve: finer, and nobody sees it.</summary>
    const int Columns = 160;

    public static Markup Of(PoolReport report, ImmutableArray<WhatIfAnswer> answers) => Markup.Of($"""
        <section id="whatif"><h2>What if</h2>{(answers.IsEmpty ? Markup.Of($"<p>Nothing was simulated: no items waited, or too little is known about them. <code>dotnet tpwatch whatif</code> simulates any change.</p>") : Markup.None)}{Offered(report, answers)}</section>
        """);

    // Where nothing can be imagined one line says so, whatever would have been changed.
    static Markup Offered(PoolReport report, ImmutableArray<WhatIfAnswer> answers) =>
        !answers.IsEmpty && answers.All(a => a.Unknown is not null)
            ? Markup.Of($"<p>{Words.OneLine(answers[0].Unknown!)}</p>")
            : Markup.Join(
                answers.Select(a => a.Unknown is { } why ? Markup.Of($"<p>{a.Change.Words}: {Words.OneLine(why)}</p>") : One(report, a)));

    static Markup One(PoolReport report, WhatIfAnswer a) => Markup.Of($"""
        <article class="whatif"><h3>{a.Change.Words}</h3><p>{Sentence.Of(Words.OneLine(WhatIfWords.Times(a)))}</p><div class="scroll"><table><thead><tr><td>{Heads(a)}</thead><tbody>{Rows(a)}</tbody></table></div>
        {CurveSvg.Draw(WhatIfCurve.Of(report, a, Columns), $"Worker threads and queue, as measured and with {a.Change.Words}: most threads {Phrases.CountOr(a.Seen.PeakWorkers)} and {Phrases.CountOr(a.Imagined.PeakWorkers)}, longest queue {Phrases.CountOr(a.Seen.PeakBacklog)} and {Phrases.CountOr(a.Imagined.PeakBacklog)}.")}
        <ul class="legend"><li><i class="k-seen"></i>measured</li><li><i class="k-imagined"></i>simulated</li></ul><p><small>Basis: {Words.OneLine(a.Basis).TrimEnd('.')}. {Words.OneLine(a.Uncertainty)} {string.Join(' ', a.Remarks.Select(Words.OneLine))}</small></p></article>
        """);

    static Markup Heads(WhatIfAnswer a) => a.Worst is null
        ? Markup.Of($"<th>measured<th>simulated")
        : Markup.Of($"<th>measured<th>simulated, better<th>simulated, worse");

    static Markup Rows(WhatIfAnswer a)
    {
        (string What, Func<WhatIfFigures, string> Of)[] rows =
        [
            ("until all items complete", f => Text(f.TotalMs)), ("queue time, mean", f => Text(f.StartDelayMs)),
            ("queued to done, mean", f => Text(f.LatencyMs)), ("most worker threads", f => Phrases.CountOr(f.PeakWorkers)),
            ("longest queue", f => Phrases.CountOr(f.PeakBacklog)), ("starved", f => Text(f.StarvedMs)),
        ];
        return Markup.Join(rows.Select(r => Markup.Of(
            $"<tr><th scope=\"row\">{r.What}{new[] { a.Seen, a.Imagined, a.Worst }.OfType<WhatIfFigures>().Select(f => Cell(r.Of(f)))}")));
    }

    static Markup Cell(string text) => Markup.Of($"<td class=\"n\">{text}");

    static string Text(double? ms) => ms is { } known ? Format.Duration(known) : "not known";
}
