using System.Text;
using Tpwatch.Assertions;
using Tpwatch.Diagnosis;
using Tpwatch.Text;

namespace Tpwatch.Export;

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
        Line($"| capture | {Words.Of(CaptureGrades.Of(timeline))}, {Md(Phrases.Completeness(timeline, TimeStyle.Utc))} |");
        Findings(report, Line);
        Conditions(answers, Line);
        return text.ToString();
    }

    /// <summary>
    /// Returns workflow commands for the log, one per line. A condition that is met or cannot be answered is an error; the level of a
    /// finding follows its severity.
    /// </summary>
    public static IEnumerable<string> Annotations(PoolReport report, IEnumerable<ConditionAnswer> answers) =>
    [
        .. answers.Where(a => a.Outcome != Outcome.NotMet)
            .Select(a => Annotation(
                "error", $"tpwatch --fail-on {a.Condition.Text} {(a.Outcome == Outcome.Met ? "is met" : "cannot be answered")}", a.Reason)),
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
            line($"| {Code(answer.Condition.Text)} | {Outcomes.Word(answer.Outcome)} | {Md(answer.Reason)} |");
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

    // Escapes a text, such as a target's name, that must not become markup or a border of the table.
    static string Md(string text) => string.Concat(Words.OneLine(text)
        .Select(c => c is '&' ? "&amp;" : c is '<' ? "&lt;" : c is '>' ? "&gt;" : Special.Contains(c) ? $"\\{c}" : $"{c}"));

    static string Code(string text) => $"<code>{Md(text)}</code>";

    const string Special = "\\`*_[]|#~!$";
}
