using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>The report's section on findings: each with its evidence and remedies, then the undecided and the clear checks.</summary>
static class FindingRenderer
{
    /// <summary>The lines of the section; none if no rule was evaluated.</summary>
    public static IEnumerable<string> Lines(PoolReport report)
    {
        if (report.Findings.Length + report.Undecided.Length + report.Clear.Length == 0)
        {
            return [];
        }

        var found = Found(report);
        var clear = report.Clear.IsEmpty ? [] : TextLayout.Fact("clear", string.Join(", ", report.Clear));
        return TextLayout.Title("Findings").Concat(found).Concat(Undecided(report)).Concat(clear);
    }

    /// <summary>Each check that could not be decided, and which data it lacks.</summary>
    public static IEnumerable<string> Undecided(PoolReport report) => report.Undecided.SelectMany(u =>
        TextLayout.Fact(u.Id, $"{FindingCatalogue.Question(u.Id)} Undecided: {Words.OneLine(u.Missing)}"));

    // Findings with the same cause share evidence and remedies; each is listed once.
    static List<string> Found(PoolReport report)
    {
        var told = new HashSet<string>(StringComparer.Ordinal);
        var lines = new List<string>();
        foreach (var finding in report.Findings.OrderByDescending(f => f.Severity))
        {
            lines.AddRange(TextLayout.Wrap(
                $"{finding.Id} {Words.Of(finding.Severity)}: {finding.Title} (confidence {Words.Of(finding.Confidence)})", 2));
            lines.AddRange(TextLayout.Wrap(Words.OneLine(finding.Headline), 4));
            lines.AddRange(finding.Evidence.Where(e => told.Add(EvidenceText.Of(e)))
                .SelectMany(e => TextLayout.Point("-", $"{EvidenceText.Of(e)} ({EvidenceText.Source(e)})", 4)));
            lines.AddRange(finding.Remedies.Select(RemedyWords.Of).Where(told.Add).SelectMany(r => TextLayout.Point(">", r, 4)));
        }

        return lines;
    }
}
