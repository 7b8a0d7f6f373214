using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>
/// The short report: problem and cause, first remedy, evidence, blocking calls, workaround. It names one cause from the first line to the
/// last; everything else is in the whole report.
/// </summary>
static class ShortReportRenderer
{
    /// <summary>Most places in the user's own code listed.</summary>
    const int Places = 3;

    /// <summary>Most findings with another cause listed.</summary>
    const int Others = 2;

    /// <summary>The lines, of at most <paramref name="width"/> columns; ends with a line break.</summary>
    public static string Render(PoolReport report, TimeStyle time, bool showCommandLine, int width = TextLayout.Width) => string.Join(
        '\n', TextLayout.Lines(Texts(report, time).Concat(Foot(report, time, showCommandLine)), width)) + "\n";

    /// <summary>The texts of the report without the foot (process, command line, capture).</summary>
    public static IEnumerable<LabelledText> Texts(PoolReport report, TimeStyle time)
    {
        var leading = LeadingFinding.ToActOn(report);
        return ((LabelledText[])[new(null, First(report))])
            .Concat(ToDo(report, leading))
            .Concat(ShortFacts.Of(report, leading, time))
            .Concat(Blocked(report))
            .Concat(InsideRenderer.Short(report))
            .Concat(RequestsRenderer.Brief(report))
            .Concat(NoStacks(report) is { } why ? [new("stacks", Words.OneLine(why))] : [])
            .Concat(Workaround.Of(report, leading) is { } other ? [new(Workaround.Label(other), Workaround.Text(other))] : [])
            .Concat(LeadingFinding.Others(report).Where(f => f.Id != leading?.Id).Take(Others).Select(Other));
    }

    /// <summary>The first line: <c>STARVED, now for 12.5 s: 35 worker threads blocked in Inventory.Reserve (lock).</c>.</summary>
    public static string First(PoolReport report) => report.Verdict switch
    {
        Verdict.Healthy => $"HEALTHY. {Words.OneLine(report.Headline)}",
        Verdict.Undecided => report.Lack is { } lack ? $"UNDECIDED: {Words.OneLine($"{lack}.")}"
            : $"UNDECIDED. {Words.OneLine(report.Headline)}",
        var verdict => $"{VerdictWords.Of(verdict)}{VerdictWords.For(report)}: {Words.OneLine(CauseWords.Of(report))}.",
    };

    static IEnumerable<LabelledText> ToDo(PoolReport report, Finding? leading)
    {
        var mend = leading is null ? "" : RemedyWords.Of(leading.Remedies[0]);
        var asks = NoStacks(report) is null && report.Verdict.IsStarvation()
            && report.Blockers is null && (leading is null || leading.Cause.OfHeldThreads);
        var find = asks && leading?.Remedies[0].How is null or { Command: "" }
            ? Waits.NamedBy(report, "To find the blocking call").Command.TrimStart()
            : "";
        string[] told = [mend, find];
        return told.Where(text => text.Length > 0).Select((text, i) => new LabelledText(i == 0 ? "do" : "", text))
            .Concat(report.Verdict.IsTrouble() ? [new(null, "")] : []);
    }

    static IEnumerable<LabelledText> Blocked(PoolReport report) => (report.Blockers ?? []).Take(Places).Select((blocker, i) =>
        new LabelledText(i > 0 ? "" : blocker.Kind == BlockKind.Cpu ? "computing" : "blocked in",
            $"{Format.Percent(blocker.Share)} of {DeepEvidence.Sampled(report)}: "
                + CulpritWords.InFull(blocker, report.Bursts?.WaitsFor ?? WaitsFor.Unknown)));

    // A user who requested stacks must see why there are none.
    static string? NoStacks(PoolReport report) =>
        report is { Blockers: null or { IsEmpty: true }, Bursts.Remarks: [var first, ..] } ? first
        : report is { Bursts: { Taken.IsEmpty: true } } && (report.Depth & (CaptureDepth.Stacks | CaptureDepth.Inside)) != 0
            ? $"None were taken: {Phrases.NoBurst(report)}."
        : null;

    static LabelledText Other(Finding finding) =>
        new("also", $"{finding.Id} {finding.Title}. {Sentence.Of(RemedyWords.Of(finding.Remedies[0]))}");

    static IEnumerable<LabelledText> Foot(PoolReport report, TimeStyle time, bool showCommandLine)
    {
        var target = report.Timeline.Target;
        var end = report.End is SessionEnd.EndOfRecording or SessionEnd.StillOpen ? "" : $"; {EndWords.Of(report.End)}";
        var grade = CaptureGrades.Of(report.Timeline);
        yield return new("process", TargetWords.Brief(target) + end);
        if (showCommandLine && target.CommandLine is { } line)
        {
            yield return new("command", Words.OneLine(line));
        }

        if (grade != CaptureGrade.Good)
        {
            yield return new("capture", $"{Words.Of(grade)}: {Format.Plural(report.Timeline.Quality.Events, "event")}, "
                + Phrases.Completeness(report.Timeline, time));
        }

        yield return new("more", report.Verdict.IsTrouble()
            ? "--verbose adds the injections, all findings, the forecast, what-if, and how complete the capture is."
            : "--verbose adds the thread count adjustments, what was checked, and how complete the capture is.");
    }
}
