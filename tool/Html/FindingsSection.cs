using Tpwatch.Diagnosis;
using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>What was found, why, and what to do; then what was not decided.</summary>
static class FindingsSection
{
    public static Markup Of(PoolReport report) => Markup.Of($"""
        <section id="findings"><h2>Findings</h2>{(report.Findings.IsEmpty ? Markup.Of($"<p>No check found a problem.</p>") : Markup.None)}{report.Findings.OrderByDescending(f => f.Severity).Select(One)}{Undecided(report)}{Clear(report)}</section>
        """);

    static Markup One(Finding finding) => Markup.Of($"""
        <article class="finding {Words.Of(finding.Severity)}" id="{finding.Id}"><h3><span class="tag">{Words.Of(finding.Severity)}</span> {finding.Title} <a href="#term-{finding.Id}">{finding.Id}</a> <small>confidence {Words.Of(finding.Confidence)}</small></h3>
        <p>{Words.OneLine(finding.Headline)}</p>{(finding.Remedies.IsEmpty ? Markup.None : Markup.Of($"<h4>What to do</h4><ol class=\"remedies\">{finding.Remedies.Select(Todo)}</ol>"))}{(finding.Evidence.IsEmpty ? Markup.None : Markup.Of($"<h4>What was seen</h4><table class=\"evidence\"><tbody>{finding.Evidence.Select(Row)}</tbody></table>"))}</article>
        """);

    static Markup Todo(Remedy remedy)
    {
        var (first, setting, rest) = RemedyText.Parts(remedy);
        return Markup.Of($"<li>{first}{(setting.Length > 0 ? Markup.Of($"<code>{setting}</code>") : Markup.None)}{rest}</li>");
    }

    static Markup Row(Evidence evidence) => Markup.Of(
        $"<tr><th scope=\"row\">{Words.OneLine(evidence.Text)}<td class=\"n\">{EvidenceText.Figure(evidence)}<td>"
            + $"<small>{EvidenceText.Source(evidence)}</small>");

    static Markup Undecided(PoolReport report) => report.Undecided.IsEmpty ? Markup.None : Markup.Of(
        $"<details><summary>{Format.Plural(report.Undecided.Length, "check")} undecided for lack of data</summary><ul>"
            + $"{report.Undecided.Select(Unanswered)}"
            + $"</ul></details>");

    static Markup Unanswered(Undecided open) => Markup.Of(
        $"<li><b>{open.Id}</b> {FindingCatalogue.Question(open.Id)} {Sentence.Of(Words.OneLine(open.Missing))}</li>");

    static Markup Clear(PoolReport report) => report.Clear.IsEmpty ? Markup.None : Markup.Of(
        $"<details><summary>{Format.Plural(report.Clear.Length, "check")} clear</summary><ul>"
            + $"{report.Clear.Select(id => Markup.Of($"<li><b>{id}</b> {Title(id)}</li>"))}</ul></details>");

    static string Title(string id) => FindingCatalogue.Find(id)?.Title ?? "";
}
