using System.Xml.Linq;
using Tpwatch.Assertions;
using Tpwatch.Diagnosis;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>Renders a JUnit file for build servers: one test case per finding rule and one per <c>--fail-on</c> condition.</summary>
static class JunitRenderer
{
    /// <summary>Returns the content of the file; ends with a line break.</summary>
    public static string Render(PoolReport report, IReadOnlyList<ConditionAnswer> answers)
    {
        var suites = new List<XElement> { Suite(report, "tpwatch.rules", FindingCatalogue.Findings.Select(rule => Rule(report, rule))) };
        if (answers.Count > 0)
        {
            suites.Add(Suite(report, "tpwatch.fail-on", answers.Select(Condition)));
        }

        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + new XElement("testsuites", new XAttribute("name", "tpwatch"), suites) + "\n";
    }

    static XElement Suite(PoolReport report, string name, IEnumerable<XElement> cases)
    {
        var timeline = report.Timeline;
        var all = cases.ToList();
        var seconds = (timeline.Now.MsSince(timeline.Start) / 1000).ToString("0.000", CultureInfo.InvariantCulture);
        return new(
            "testsuite", new XAttribute("name", name), new XAttribute("tests", all.Count),
            new XAttribute("failures", all.Count(c => c.Element("failure") is not null)),
            new XAttribute("errors", 0), new XAttribute("skipped", all.Count(c => c.Element("skipped") is not null)),
            new XAttribute("timestamp", timeline.UtcOf(timeline.Start).ToString("yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture)),
            new XAttribute("time", seconds), all,
            new XElement("system-out", Text($"{VerdictWords.Of(report)}: {report.Headline}")));
    }

    static XElement Rule(PoolReport report, CatalogueEntry rule) => Case($"{rule.Id} {rule.Title}", "tpwatch.rules",
        report.Findings.FirstOrDefault(f => f.Id == rule.Id) is { } found ? Found(found)
        : report.Undecided.FirstOrDefault(u => u.Id == rule.Id) is { } open ? new XElement(
            "skipped", new XAttribute("message", Text($"undecided: {open.Missing}")))
        : report.Clear.Contains(rule.Id) ? null
        : new XElement("skipped", new XAttribute("message", "not checked")));

    // A finding of severity "note" does not fail its test case.
    static XElement Found(Finding finding) => finding.Severity == Severity.Note
        ? new("system-out", Text(finding.Headline))
        : new("failure", new XAttribute("type", Words.Of(finding.Severity)),
            new XAttribute("message", Text(finding.Headline)), string.Join('\n', Told(finding)));

    static IEnumerable<string> Told(Finding finding) =>
        finding.Evidence.Select(e => Text($"- {EvidenceText.Of(e)} ({EvidenceText.Source(e)})"))
            .Concat(finding.Remedies.Select(r => Text($"> {RemedyWords.Of(r)}")));

    static XElement Condition(ConditionAnswer answer) => Case(answer.Condition.Text, "tpwatch.fail-on", answer.Outcome switch
    {
        Outcome.Met => new("failure", new XAttribute("type", "met"), new XAttribute("message", Text(answer.Reason))),
        Outcome.Unanswered =>
            new("failure", new XAttribute("type", "unanswered"), new XAttribute("message", Text($"cannot be answered: {answer.Reason}"))),
        _ => null,
    });

    static XElement Case(string name, string group, XElement? outcome) =>
        new("testcase", new XAttribute("classname", group), new XAttribute("name", Text(name)), new XAttribute("time", "0"), outcome);

    // XML 1.0 does not allow control characters, not even as escapes.
    static string Text(string text) => string.Concat(
        Words.OneLine(text).EnumerateRunes().Where(r => r.Value > char.MaxValue || System.Xml.XmlConvert.IsXmlChar((char)r.Value)));
}
