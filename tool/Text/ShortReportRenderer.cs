using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>
/// Renders the short report: problem and cause, first remedy, evidence, blocking calls, workaround. All lines are about one cause, except
/// those with the label "also" at the end.
/// </summary>
static class ShortReportRenderer
{
    /// <summary>Maximum number of blocking calls.</summary>
    const int Places = 3;

    /// <summary>Maximum number of findings with another cause.</summary>
    const int Others = 2;

    /// <summary>Returns the report as text, with lines of up to <paramref name="width"/> columns and a line break at the end.</summary>
    public static string Render(PoolReport report, TimeStyle time, bool showCommandLine, int width = TextLayout.Width) => string.Join(
        '\n', TextLayout.Lines(Texts(report, time).Concat(Foot(report, time, showCommandLine)), width)) + "\n";

    /// <summary>Returns the texts of the report without the foot (process, command line, capture).</summary>
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

    /// <summary>Returns the first line: <c>STARVED, now for 12.5 s: 35 worker threads blocked in Inventory.Reserve (lock).</c>.</summary>
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
            ? Hints.NamedBy(report, "To find the blocking call").Command.TrimStart()
            : "";
        string[] told = [mend, find];
        return LabelledText.Of("do", told.Where(text => text.Length > 0))
            .Concat(report.Verdict.IsTrouble() ? [new(null, "")] : []);
    }

    static IEnumerable<LabelledText> Blocked(PoolReport report) => (report.Blockers ?? []).Take(Places).Select((blocker, i) =>
        new LabelledText(i > 0 ? "" : blocker.Kind == BlockKind.Cpu ? "computing" : "blocked in",
            $"{Format.Percent(blocker.Share)} of {DeepEvidence.Sampled(report)}: "
                + BlockingPlaceWords.InFull(blocker, report.Bursts?.WaitsFor ?? WaitsFor.Unknown)));

    // Returns why there are no stacks although the user requested some; null if there are some, or without a request.
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
                + CaptureGrades.InWords(report.Timeline, time));
        }

        yield return new("more", report.Verdict.IsTrouble()
            ? "--verbose adds the injections, all findings, the forecast, what-if, and how complete the capture is."
            : "--verbose adds the thread count adjustments, what was checked, and how complete the capture is.");
    }
}

/// <summary>A text of the short report, not yet wrapped into lines.</summary>
/// <param name="Label">The label to the left of the text; null for none.</param>
/// <param name="Text">The text; empty for an empty line.</param>
readonly record struct LabelledText(string? Label, string Text)
{
    /// <summary>Returns several texts with one label, which is to the left of the first.</summary>
    public static IEnumerable<LabelledText> Of(string label, IEnumerable<string> texts) =>
        texts.Select((text, i) => new LabelledText(i == 0 ? label : "", text));
}

/// <summary>
/// Selects the evidence of the short report: start, queue, and either threads and completed items or the leading finding's evidence.
/// </summary>
static class ShortFacts
{
    /// <summary>Maximum number of texts from the leading finding's evidence.</summary>
    const int Told = 3;

    public static IEnumerable<LabelledText> Of(PoolReport report, Finding? leading, TimeStyle time)
    {
        var own = leading is not null && !leading.Cause.OfHeldThreads;
        return Since(report, time)
            .Concat(Queue(report))
            .Concat(own ? LabelledText.Of("evidence", leading!.Evidence.Where(e => e.Value is not null).Take(Told).Select(EvidenceText.Of))
                : Threads(report).Concat(Completed(report)));
    }

    // Returns when the problem began, with "or before" if items already waited at the start of the capture.
    static IEnumerable<LabelledText> Since(PoolReport report, TimeStyle time) => report.Since is not { } since ? []
        : [new("since", ProblemOnset.IsAtTheStart(report.Timeline, since)
            ? $"{time.Spoken(report.Timeline, since)} or before{AtLeast(report, since)}"
            : ProblemOnset.IsSeen(report, since)
                ? $"{time.Spoken(report.Timeline, since)}, "
                    + $"{Format.Duration(since.MsSince(report.Timeline.Start))} into the {Format.Duration(Watched(report))} watched"
                : $"{time.Spoken(report.Timeline, since)} or before; {Already(report)}")];

    static string Already(PoolReport report) => report.Verdict == Verdict.Held
        ? "nothing had completed since the capture began" : "items already waited at the first counter sample";

    static string AtLeast(PoolReport report, EventTime since) =>
        report.Episodes.FirstOrDefault(e => e.Span.From <= since && since <= e.Span.To) is { } first
            ? $", for at least {Format.Duration(first.Span.Ms)}"
            : "";

    static double Watched(PoolReport report) => report.Timeline.Now.MsSince(report.Timeline.Start);

    static IEnumerable<LabelledText> Queue(PoolReport report)
    {
        if (report.MaxQueueLength is not { } most)
        {
            return [];
        }

        var now = report.Timeline.Levels.QueueLength is { } waiting && report.IsNow
            ? $"{Format.Plural(waiting, "work item")} now, peak {Format.Count(most)}"
            : most == 0 ? "empty at every counter sample" : $"peak {Format.Plural(most, "work item")}";
        return [new("queue", now + Longest(report))];
    }

    static string Longest(PoolReport report)
    {
        var proven = report.Episodes.Where(e => e.Kind == report.Verdict).Select(e => e.ProvenWaitMs).DefaultIfEmpty().Max();
        return report.Items?.StarvedDelay is { IsKnown: true } delay
            ? DeepEvidence.IsOfHalf(delay) ? $"; half of the items waited at least {Format.Duration(delay.P50Ms)}"
                : delay.HasEnoughFor(LowerBounds.P99)
                ? $"; one item in a hundred waited at least {Format.Duration(delay.P99Ms)}"
                : $"; the longest of {Format.Plural(delay.Counted, "item")} waited at least {Format.Duration(delay.MaxMs)}"
            : proven > 0 ? $"; an item waited at least {Format.Duration(proven)}" : "";
    }

    static IEnumerable<LabelledText> Threads(PoolReport report)
    {
        if (report.MaxWorkers is not { } most)
        {
            return [];
        }

        return [new("threads", (report.Timeline.Levels.Workers is { } now && now != most
                ? $"{Format.Plural(now, "worker thread")} now, peak {Format.Count(most)}"
                : Format.Plural(most, "worker thread"))
            + Raises(report))];
    }

    // Counts adjustments instead of added threads: for task waits, the pool raises and lowers the target thread count.
    static string Raises(PoolReport report)
    {
        var starved = report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation);
        var waits = report.Adjustments.GetValueOrDefault(AdjustmentReason.CooperativeBlocking);
        return (starved > 0 ? $"; {Format.Plural(starved, "thread injection")}" : "")
            + (waits > 0 ? $"; target thread count raised or lowered {Format.Times(waits)} for task waits" : "")
            + (starved + waits == 0 && report.Verdict.IsStarvation() ? "; starvation detection added none" : "");
    }

    /// <summary>Returns the mean completed items per second and processor use in the episodes; without episodes, in the capture.</summary>
    static IEnumerable<LabelledText> Completed(PoolReport report)
    {
        var samples = (report.Episodes.IsEmpty ? report.Timeline.CounterSamples
            : WaitingEpisodes.CounterSamples(report.Timeline, report.Episodes)).ToArray();
        if (WaitingEpisodes.CompletedPerSecond(samples) is not { } perSecond)
        {
            return [];
        }

        var cpu = samples.Select(b => b.Cpu).Average() is { } used
            ? $"the process used {Format.Percent(used)} of the processors on average" : null;
        if (perSecond < LeastPerSecond && report.Verdict == Verdict.Healthy)
        {
            // Leaves out the rate: if no item waits, "no work item" would wrongly suggest that items hang.
            return cpu is null ? [] : [new("processors", cpu)];
        }

        var during = report.Episodes.IsEmpty ? "" : report.Verdict == Verdict.Held ? " while threads were busy" : " while items waited";
        return [new("completed", $"{Rate(perSecond)}{during}{(cpu is null ? "" : $"; {cpu}")}")];
    }

    /// <summary>Minimum rate that is written as a number, items per second; a lower rate would be written as 0.0.</summary>
    const double LeastPerSecond = 0.05;

    static string Rate(double perSecond) => perSecond < LeastPerSecond ? "no work item" : $"{Format.Rate(perSecond)[..^2]} work items a "
        + "second";
}
