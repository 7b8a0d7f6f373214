using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>Renders a comparison as one self-contained HTML page without a script.</summary>
static class ComparePage
{
    /// <summary>Returns the page; ends with a line break.</summary>
    public static string Render(Comparison of, string version)
    {
        var style = Assets.TimelineCss + Assets.PageCss;
        return Markup.Of($"""
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '{HtmlReportRenderer.Hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
            <title>{ComparisonRenderer.Headline(of.Outcome)}: {of.Before.Process}, before and after</title>
            <style>{new Markup(style)}</style></head>
            <body><main><header class="{Look(of.Outcome)}"><p class="process"><bdi>{ComparisonRenderer.Source(of.Before)}</bdi><br><bdi>{ComparisonRenderer.Source(of.After)}</bdi></p>
            <h1>{ComparisonRenderer.Headline(of.Outcome)}</h1><p class="headline">{of.Sentence}</p></header>
            <section><h2>Before and after</h2><div class="scroll"><table><thead><tr><th><th>before<th>after</thead><tbody>{of.Rows.Select(Row)}</tbody></table></div></section>
            <section><h2>Causes</h2><ul>{of.Culprits.Select(c => Markup.Of($"<li><b>{ComparisonRenderer.Of(c.Change)}</b> <bdi>{ComparisonRenderer.Of(c)}</bdi></li>"))}</ul></section>
            {Conditions([.. of.Conditions])}</main>
            <footer>Written by dotnet tpwatch {version}. This page needs no network and holds everything it shows.</footer></body></html>

            """).Source;
    }

    static Markup Row(ComparedRow row) =>
        Markup.Of($"<tr><th scope=\"row\">{row.Name}<td><bdi>{row.Before}</bdi><td><bdi>{row.After}</bdi>");

    static Markup Conditions(ImmutableArray<ComparedRow> differ) => differ.IsEmpty ? Markup.None : Markup.Of($"""
        <section><h2>What else differs</h2><table><thead><tr><th><th>before<th>after</thead><tbody>{differ.Select(Row)}</tbody></table></section>
        """);

    static string Look(ComparedOutcome outcome) => outcome switch
    {
        ComparedOutcome.Better => "good",
        ComparedOutcome.Worse => "bad",
        _ => "unsure",
    };
}
