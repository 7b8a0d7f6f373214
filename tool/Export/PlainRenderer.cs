using Tpwatch.Assertions;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>Renders some lines for the log of a build: the verdict, the findings, and the answers to <c>--fail-on</c>.</summary>
static class PlainRenderer
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
            .. answers.SelectMany(a => TextLayout.Fact(Outcomes.Word(a.Outcome), Words.OneLine($"{a.Condition.Text}: {a.Reason}"))),
            .. TextLayout.Fact("capture", Phrases.Completeness(report.Timeline, time)),
        ];
        return string.Join('\n', lines) + "\n";
    }
}

/// <summary>The words for the answer to a condition.</summary>
static class Outcomes
{
    /// <summary>Returns the answer in one or two words; <c>met</c> means that the run fails.</summary>
    public static string Word(Outcome outcome) => outcome switch
    {
        Outcome.Met => "met",
        Outcome.NotMet => "not met",
        _ => "unanswered",
    };
}
