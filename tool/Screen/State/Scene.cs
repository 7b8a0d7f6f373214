using Tpwatch.Text;

namespace Tpwatch.Screen.State;

/// <summary>The input of a view: the report and the user's choices.</summary>
sealed record Scene(PoolReport Report, ViewState State)
{
    /// <summary>Id of the rule that checks the adjustments by hill climbing.</summary>
    public const string ClimbingRule = "TPW012";

    public TimelineSnapshot Timeline => Report.Timeline;

    /// <summary>
    /// The injection delays and adjustments that have a mark on the timeline, oldest first. A thread added on demand below the target
    /// thread count has no mark, because the addition is neither an adjustment nor a delay.
    /// </summary>
    public ImmutableArray<InjectionDelay> Events { get; } = [.. Report.InjectionDelays.Where(DelayMark.HasMark)];

    /// <summary>
    /// The events that the present view marks. The overview marks injections, waits and the selected event. On request the overview also
    /// marks other events, such as adjustments by hill climbing and ended idle threads.
    /// </summary>
    public ImmutableArray<InjectionDelay> Marks => State.View != ViewName.Overview || State.Show.AllMarks ? Events
        : [.. Events.Where(g => g.IsWait || g.Number == State.Selected)];

    /// <summary>The findings to show. A note that hill climbing does no harm is left out, because view 5 shows that note.</summary>
    public IReadOnlyList<Finding> Findings { get; } =
        [.. Report.Findings.Where(f => f is not { Id: ClimbingRule, Severity: Severity.Note })];

    /// <summary>The selected event; null when no event is selected or the report no longer holds the event.</summary>
    public InjectionDelay? Selected => State.Selected is { } number ? Report.InjectionDelays.FirstOrDefault(g => g.Number == number) : null;

    /// <summary>Whether the user has marked a finding as read, and the finding has not become more serious since.</summary>
    public bool IsAcknowledged(Finding finding) => State.Acknowledged.TryGetValue(finding.Id, out var then) && finding.Severity <= then;

    /// <summary>Whether the session has ended, so that the newest data is not the present state.</summary>
    public bool IsOver => Report.End is not (SessionEnd.StillOpen or SessionEnd.EndOfRecording);

    /// <summary>The label of the newest shown moment: <c>now</c>, <c>end</c>, or the time of a frozen display.</summary>
    public string Newest => State.Freeze is not null ? Clock(Timeline.Now) : IsOver ? "end" : "now";

    /// <summary>A moment as text: relative to the newest data while the screen follows, else since the capture's start.</summary>
    public string Time(EventTime at) => !State.Follows ? Clock(at)
        : Format.Ago(Timeline.Now.MsSince(at)) is "now" ? Newest : Format.Ago(Timeline.Now.MsSince(at));

    /// <summary>A moment with its preposition: <c>at -7.4s</c>, <c>at 00:10.6</c>, <c>now</c>.</summary>
    public string AtTime(EventTime at) => Time(at) switch
    {
        "now" => "now",
        "end" => "at the end",
        var time => $"at {time}",
    };

    string Clock(EventTime at) => Format.Clock(at.MsSince(Timeline.Start), tenths: true);

    public TimeWindow Window(int columns) => TimeWindow.Of(Timeline, State, columns);
}
