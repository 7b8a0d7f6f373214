using System.Globalization;
using Tpwatch.Render.Shared;
using Tpwatch.Reports;

namespace Tpwatch.Render.Text;

/// <summary>What was found, with its evidence and what to do; then what could not be decided.</summary>
static class FindingRenderer
{
    /// <summary>The lines of the section; none when no rule said anything.</summary>
    public static IEnumerable<string> Lines(PoolReport report)
    {
        if (report.Findings.Length + report.Undecided.Length + report.Clear.Length == 0)
        {
            return [];
        }

        var found = report.Findings.OrderByDescending(f => f.Severity).SelectMany(Finding);
        var undecided = report.Undecided.SelectMany(u => TextLayout.Fact($"{u.Id}", $"undecided: lacks {Words.OneLine(u.Missing)}"));
        var clear = report.Clear.IsEmpty ? [] : TextLayout.Fact("clear", string.Join(", ", report.Clear));
        return TextLayout.Title("Findings").Concat(found).Concat(undecided).Concat(clear);
    }

    static IEnumerable<string> Finding(Finding finding) =>
        TextLayout.Wrap($"{finding.Id} {Words.Of(finding.Severity)}: {finding.Title} (confidence {Words.Of(finding.Confidence)})", 2)
            .Concat(TextLayout.Wrap(Words.OneLine(finding.Headline), 4))
            .Concat(finding.Evidence.SelectMany(e => TextLayout.Point("-", Evidence(e), 4)))
            .Concat(finding.Remedies.SelectMany(r => TextLayout.Point(">", Remedy(r), 4)));

    static string Evidence(Evidence evidence)
    {
        var value = Words.Known(evidence.Value) is { } v
            ? $": {v.ToString("0.###", CultureInfo.InvariantCulture)} {evidence.Unit}".TrimEnd()
            : "";
        return $"{Words.OneLine(evidence.Text)}{value} ({Words.OneLine(evidence.Source)})";
    }

    static string Remedy(Remedy remedy) =>
        remedy.Setting is { } setting ? $"{Words.OneLine(remedy.Text).TrimEnd('.')}: {setting}" : Words.OneLine(remedy.Text);
}
