using System.Text;
using System.Xml.Linq;
using Tpwatch.Assertions;
using Tpwatch.Diagnosis;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>Renders lines for the log of a build: the verdict, the findings, and the answers to the <c>--fail-on</c> conditions.</summary>
static class BuildLogRenderer
{
    /// <summary>Returns the lines; ends with a line break.</summary>
    public static string Render(PoolReport report, IEnumerable<ConditionAnswer> answers, TimeStyle time)
    {
        IEnumerable<string> lines =
        [
            $"{VerdictWords.Of(report)}: {report.Timeline.Target.Name}, pid {Words.Pid(report.Timeline.Target)}, "
                + $"{Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start))}",
            .. TextLayout.Wrap(Words.OneLine(report.Headline), 2),
            .. report.Findings
                .SelectMany(f => TextLayout.Point("-", Words.OneLine($"{f.Id} {Words.Of(f.Severity)}: {f.Title}. {f.Headline}"), 2)),
            .. report.Findings.SelectMany(f => f.Remedies.Take(1))
                .SelectMany(r => TextLayout.Point(">", RemedyWords.Of(r), 2)),
            .. answers.SelectMany(a =>
                TextLayout.Fact(ConditionOutcomeWords.Word(a.Outcome), Words.OneLine($"{a.Condition.Text}: {a.Reason}"))),
            .. TextLayout.Fact("capture", CaptureGrades.InWords(report.Timeline, time)),
        ];
        return string.Join('\n', lines) + "\n";
    }
}

static class ConditionOutcomeWords
{
    /// <summary>Returns the answer in one or two words. The build fails unless the answer is <c>not met</c>.</summary>
    public static string Word(ConditionOutcome outcome) => outcome switch
    {
        ConditionOutcome.Met => "met",
        ConditionOutcome.NotMet => "not met",
        _ => "unanswered",
    };
}

/// <summary>Renders output for GitHub Actions: a markdown page for the job summary, and annotations for the log.</summary>
static class GithubRenderer
{
    /// <summary>Returns the markdown page; ends with a line break.</summary>
    public static string Summary(PoolReport report, IReadOnlyList<ConditionAnswer> answers)
    {
        var timeline = report.Timeline;
        var text = new StringBuilder();
        void Line(string line) => text.Append(line).Append('\n');
        Line($"## {VerdictWords.Of(report)}: {Md(timeline.Target.Name)}\n");
        Line($"{Md(report.Headline)}\n");
        Line("| | |\n|---|---|");
        Line($"| {VerdictWords.Lasting(report)} | {Phrases.Starved(report)} |");
        Line($"| worker threads | {Phrases.Levels(Phrases.Named("peak", report.MaxWorkers))} |");
        Line($"| queue | {Phrases.Levels(Phrases.Named("peak", report.MaxQueueLength))} |");
        Line($"| injection delays | {Md(DelayWords.Tally(report.Tally))} |");
        Line($"| process | {Md(timeline.Target.Name)}, pid {Words.Pid(timeline.Target)}"
            + $"{(timeline.Target.RuntimeVersion is { } version ? $", .NET {Md(version)}" : "")} |");
        Line($"| capture | {Words.Of(CaptureGrades.Of(timeline))}, {Md(CaptureGrades.InWords(timeline, TimeStyle.Utc))} |");
        Findings(report, Line);
        Conditions(answers, Line);
        return text.ToString();
    }

    /// <summary>
    /// Returns GitHub's workflow commands, one per line. A condition that is met or cannot be answered is an error. The level of a finding
    /// follows from its severity.
    /// </summary>
    public static IEnumerable<string> Annotations(PoolReport report, IEnumerable<ConditionAnswer> answers) =>
    [
        .. answers.Where(a => a.Outcome != ConditionOutcome.NotMet)
            .Select(a => Annotation(
                "error", $"tpwatch --fail-on {a.Condition.Text} {(a.Outcome == ConditionOutcome.Met ? "is met" : "cannot be answered")}",
                a.Reason)),
        .. report.Findings.Select(f => Annotation(Level(f.Severity), $"{f.Id} {f.Title}", f.Headline)),
    ];

    static void Findings(PoolReport report, Action<string> line)
    {
        line("\n### Findings\n");
        foreach (var finding in report.Findings)
        {
            line($"- **{finding.Id}** {Words.Of(finding.Severity)}: {Md(finding.Title)}. {Md(finding.Headline)}");
            foreach (var remedy in finding.Remedies)
            {
                var (first, setting, rest) = RemedyWords.Parts(remedy);
                line($"  - {Md(first)}{(setting.Length > 0 ? $" {Code(setting)}" : "")}{Md(rest)}");
            }
        }

        line(report.Findings.IsEmpty ? "None." : "");
    }

    static void Conditions(IReadOnlyList<ConditionAnswer> answers, Action<string> line)
    {
        if (answers.Count > 0)
        {
            line("### --fail-on\n\n| condition | answer | why |\n|---|---|---|");
        }

        foreach (var answer in answers)
        {
            line($"| {Code(answer.Condition.Text)} | {ConditionOutcomeWords.Word(answer.Outcome)} | {Md(answer.Reason)} |");
        }
    }

    static string Annotation(string level, string title, string text) => string.Create(CultureInfo.InvariantCulture,
        $"::{level} title="
            + $"{Data(Words.OneLine(title)).Replace(":", "%3A", StringComparison.Ordinal).Replace(",", "%2C", StringComparison.Ordinal)}::"
            + $"{Data(Words.OneLine(text))}");

    static string Level(Severity severity) => severity switch
    {
        Severity.Serious => "error",
        Severity.Warning => "warning",
        _ => "notice",
    };

    static string Data(string text) => text.Replace("%", "%25", StringComparison.Ordinal);

    // Escapes text such as a target's name, which must not become markup or a border of the table.
    static string Md(string text) => string.Concat(Words.OneLine(text)
        .Select(c => c is '&' ? "&amp;" : c is '<' ? "&lt;" : c is '>' ? "&gt;" : Special.Contains(c) ? $"\\{c}" : $"{c}"));

    static string Code(string text) => $"<code>{Md(text)}</code>";

    const string Special = "\\`*_[]|#~!$";
}

/// <summary>Renders a JUnit file for build servers: a test case for each finding rule and for each <c>--fail-on</c> condition.</summary>
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

    static XElement Rule(PoolReport report, FindingCatalogueEntry rule) => Case($"{rule.Id} {rule.Title}", "tpwatch.rules",
        report.Findings.FirstOrDefault(f => f.Id == rule.Id) is { } found ? Found(found)
        : report.Undecided.FirstOrDefault(u => u.Id == rule.Id) is { } open ? new XElement(
            "skipped", new XAttribute("message", Text($"undecided: {open.Missing}")))
        : report.Clear.Contains(rule.Id) ? null
        : new XElement("skipped", new XAttribute("message", "not checked")));

    // Returns the element for the test case. A finding of severity "note" does not fail the test case.
    static XElement Found(Finding finding) => finding.Severity == Severity.Note
        ? new("system-out", Text(finding.Headline))
        : new("failure", new XAttribute("type", Words.Of(finding.Severity)),
            new XAttribute("message", Text(finding.Headline)), string.Join('\n', Told(finding)));

    static IEnumerable<string> Told(Finding finding) =>
        finding.Evidence.Select(e => Text($"- {EvidenceText.Of(e)} ({EvidenceText.Source(e)})"))
            .Concat(finding.Remedies.Select(r => Text($"> {RemedyWords.Of(r)}")));

    static XElement Condition(ConditionAnswer answer) => Case(answer.Condition.Text, "tpwatch.fail-on", answer.Outcome switch
    {
        ConditionOutcome.Met => new("failure", new XAttribute("type", "met"), new XAttribute("message", Text(answer.Reason))),
        ConditionOutcome.Unanswered =>
            new("failure", new XAttribute("type", "unanswered"), new XAttribute("message", Text($"cannot be answered: {answer.Reason}"))),
        _ => null,
    });

    static XElement Case(string name, string group, XElement? outcome) =>
        new("testcase", new XAttribute("classname", group), new XAttribute("name", Text(name)), new XAttribute("time", "0"), outcome);

    // Removes the control characters that XML 1.0 does not allow, not even as escapes.
    static string Text(string text) => string.Concat(
        Words.OneLine(text).EnumerateRunes().Where(r => r.Value > char.MaxValue || System.Xml.XmlConvert.IsXmlChar((char)r.Value)));
}
