namespace Tpwatch.Text;

/// <summary>Renders one line for each event of a watch, for output without a screen.</summary>
interface ILineRenderer
{
    /// <summary>Returns the line for an injection delay, which may still be open; null for no line.</summary>
    string? Decision(InjectionDelay delay, PoolReport report);

    /// <summary>Returns the line for a finding; null for no line.</summary>
    string? Finding(Finding finding, PoolReport report);

    /// <summary>Returns the line for the start or the end of an episode; null for no line.</summary>
    string? State(StarvedEpisode episode, PoolReport report) => null;

    /// <summary>Returns the summary at the end of the watch, which may have several lines.</summary>
    string Summary(PoolReport report);
}

/// <summary>
/// Renders a line for each start and end of an episode, each finding to act on, each injection, and each wait without an injection. Other
/// thread count adjustments, and explanations, are only in <see cref="DecisionLineRenderer"/>.
/// </summary>
/// <param name="width">Maximum number of columns of the summary.</param>
sealed class ShortLineRenderer(TimeStyle time, int width = TextLayout.Width) : ILineRenderer
{
    public string? Decision(InjectionDelay delay, PoolReport report) => IsTold(delay)
        ? Fitting($"{time.Moment(report.Timeline, delay.End)} {What(delay)} {Change(delay)}", DelayWords.Briefly(delay), Queue(delay))
        : null;

    public string? State(StarvedEpisode episode, PoolReport report) => episode.Over
        ? $"{time.Moment(report.Timeline, episode.Span.To)} {VerdictWords.Of(episode.Kind)} over after {Format.Duration(episode.Span.Ms)}"
        : $"{time.Moment(report.Timeline, episode.Span.From)} {VerdictWords.Of(episode.Kind)}{Cause(episode, report)}";

    public string? Finding(Finding finding, PoolReport report) =>
        LeadingFinding.ToActOn(report)?.Id == finding.Id || LeadingFinding.Others(report).Any(f => f.Id == finding.Id)
            ? $"{time.Moment(report.Timeline, finding.To)} {finding.Id} {Words.Of(finding.Severity)} {Words.OneLine(finding.Title)}. "
                + RemedyWords.Of(finding.Remedies[0])
            : null;

    public string Summary(PoolReport report) =>
        "\n" + ShortReportRenderer.Render(report, time, showCommandLine: false, width).TrimEnd('\n');

    // Leaves out threads created on demand (G0), which are not delayed, and hill climbing (G11), which does not react to waits.
    static bool IsTold(InjectionDelay delay) =>
        DelayMark.IsInjection(delay) || (delay.Reason is null && delay.Mechanism is not (Mechanism.G0Ramp or Mechanism.G11Probing));

    static string Cause(StarvedEpisode episode, PoolReport report) =>
        episode.Kind == report.Verdict ? $": {Words.OneLine(CauseWords.Of(report))}" : "";

    // Returns the runtime's reason for the adjustment; without an adjustment, tpwatch's own word and a colon.
    static string What(InjectionDelay delay) => DelayWords.EndedBy(delay) + (delay.Reason is null ? ":" : "");

    static string Change(InjectionDelay delay)
    {
        var waited = Words.Known(delay.ObservedMs) is { } ms ? Format.Duration(ms) : null;
        var threads = delay.TargetThreadsAfter ?? delay.TargetThreadsBefore;
        return delay.Reason is not null
            ? $"{(delay.TargetThreadsBefore is { } before ? $"{Number(before)}->" : "")}{Number(threads ?? 0)} threads"
                + (waited is null ? "" : $" after {waited}")
            : (threads is { } count ? $"{Number(count)} threads, none" : "no thread")
                + (waited is null ? " added" : $" added for {waited}");
    }

    static string? Queue(InjectionDelay delay) => delay.QueueLength is { } waiting ? $"queue {Number(waiting)}" : null;

    // Appends each field that fits into a line of TextLayout.Width characters.
    static string Fitting(string line, params string?[] fields) => fields.OfType<string>().Aggregate(
        line, (told, field) => told.Length + 2 + field.Length <= TextLayout.Width ? $"{told}, {field}" : told);

    static string Number(long value) => value.ToString(CultureInfo.InvariantCulture);
}

/// <summary>
/// Renders one line for each thread count adjustment or wait: <c>2026-11-21T02:29:06.600Z Starvation goal 11->12 gap 1003ms tick 2 (tick 1:
/// …) fits G1 cpu 6% queue 72</c>. The order of the fields is a contract. The field of the gate check is left out if none is known, and
/// <c>because</c> is added if the delay is not as expected.
/// </summary>
sealed class DecisionLineRenderer(TimeStyle time) : ILineRenderer
{
    public string Decision(InjectionDelay delay, PoolReport report) => string.Join(' ', Fields(delay, report.Timeline));

    public string Finding(Finding finding, PoolReport report) =>
        $"{time.Moment(report.Timeline, finding.To)} {finding.Id} {Words.Of(finding.Severity)} {Words.OneLine(finding.Headline)}";

    public string Summary(PoolReport report) => SummaryRenderer.Render(report, time);

    IEnumerable<string> Fields(InjectionDelay delay, TimelineSnapshot timeline)
    {
        yield return time.Moment(timeline, delay.End);
        yield return DelayWords.Code(delay);
        yield return $"goal {DelayFields.TargetThreads(delay)}";
        yield return $"gap {DelayFields.Length(delay)}";
        if (DelayFields.Tick(delay) is { } check)
        {
            yield return DelayFields.EarlierChecks(delay, "tick") is { } earlier ? $"tick {check} ({earlier})" : $"tick {check}";
        }

        yield return DelayFields.Judgement(delay);
        yield return $"cpu {DelayFields.Cpu(delay)}";
        yield return $"queue {DelayFields.Queue(delay)}";
        if (DelayFields.AsksWhy(delay) && Words.OneLine(delay.Because) is { Length: > 0 } because)
        {
            yield return $"because {because}";
        }
    }
}
