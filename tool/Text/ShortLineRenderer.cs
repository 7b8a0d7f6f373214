using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>
/// One line per change of state, finding with its remedy, and injection. The reasons of an injection's time, and adjustments that answer
/// no wait, are left to <see cref="DecisionLineRenderer"/>.
/// </summary>
/// <param name="time">How moments are written.</param>
/// <param name="width">Columns of the summary.</param>
sealed class ShortLineRenderer(TimeStyle time, int width = TextLayout.Width) : ILineRenderer
{
    public string? Decision(Gap gap, PoolReport report) => IsTold(gap)
        ? Fitting($"{time.Moment(report.Timeline, gap.End)} {What(gap)} {Change(gap)}", Judgement(gap), Queue(gap))
        : null;

    public string? State(StarvedEpisode episode, PoolReport report) => episode.Over
        ? $"{time.Moment(report.Timeline, episode.Span.To)} {VerdictWords.Of(episode.Kind)} over after {Format.Duration(episode.Span.Ms)}"
        : $"{time.Moment(report.Timeline, episode.Span.From)} {VerdictWords.Of(episode.Kind)}{Cause(episode, report)}";

    public string? Finding(Finding finding, PoolReport report) =>
        LeadingFinding.ToActOn(report)?.Id == finding.Id || LeadingFinding.Others(report).Any(f => f.Id == finding.Id)
            ? $"{time.Moment(report.Timeline, finding.To)} {finding.Id} {Words.Of(finding.Severity)} {Words.OneLine(finding.Title)}. "
                + RemedyText.Of(finding.Remedies[0])
            : null;

    public string Summary(PoolReport report) =>
        "\n" + ShortReportRenderer.Render(report, time, showCommandLine: false, width).TrimEnd('\n');

    // A ramp below the target thread count is no delay, and hill climbing answers no wait.
    static bool IsTold(Gap gap) =>
        GapMark.IsInjection(gap) || (gap.Reason is null && gap.Mechanism is not (Mechanism.G0Ramp or Mechanism.G11Probing));

    static string Cause(StarvedEpisode episode, PoolReport report) =>
        episode.Kind == report.Verdict ? $": {Words.OneLine(CauseWords.Of(report))}" : "";

    // Without an adjustment the word is this tool's, and a colon separates it from the thread count.
    static string What(Gap gap) => DecisionWord.Plain(gap) + (gap.Reason is null ? ":" : "");

    static string Change(Gap gap)
    {
        var waited = Words.Known(gap.ObservedMs) is { } ms ? Format.Duration(ms) : null;
        var threads = gap.GoalAfter ?? gap.GoalBefore;
        return gap.Reason is not null
            ? $"{(gap.GoalBefore is { } before ? $"{Number(before)}->" : "")}{Number(threads ?? 0)} threads"
                + (waited is null ? "" : $" after {waited}")
            : (threads is { } count ? $"{Number(count)} threads, none" : "no thread")
                + (waited is null ? " added" : $" added for {waited}");
    }

    static string? Judgement(Gap gap) => gap.Verdict switch
    {
        GapVerdict.Fits when gap.Reason is not null => "as expected",
        GapVerdict.Early => "early",
        GapVerdict.Late => "late",
        GapVerdict.NoRule => "not explained by a rule of the runtime",
        GapVerdict.NoData => "not judged: events are missing",
        _ => null,
    };

    static string? Queue(Gap gap) => gap.Backlog is { } waiting ? $"queue {Number(waiting)}" : null;

    /// <summary>The line with each of the fields that it has room for.</summary>
    static string Fitting(string line, params string?[] fields) => fields.OfType<string>().Aggregate(
        line, (told, field) => told.Length + 2 + field.Length <= TextLayout.Width ? $"{told}, {field}" : told);

    static string Number(long value) => value.ToString(CultureInfo.InvariantCulture);
}
