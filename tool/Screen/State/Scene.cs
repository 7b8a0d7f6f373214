using Tpwatch.Text;

namespace Tpwatch.Screen.State;

/// <summary>What a view draws: what is known and what the user chose.</summary>
sealed record Scene(PoolReport Report, ViewState State)
{
    /// <summary>Id of the rule that looks at moves of hill climbing.</summary>
    public const string ClimbingRule = "TPW012";

    public TimelineSnapshot Timeline => Report.Timeline;

    /// <summary>The gaps that have a mark on the timeline, oldest first: ramps below the goal are no decision and no wait.</summary>
    public ImmutableArray<Gap> Events { get; } = [.. Report.Gaps.Where(GapMark.HasMark)];

    /// <summary>
    /// Those of them that the overview shows: injections and waits; hill climbing and threads that end when idle only when asked for.
    /// </summary>
    public ImmutableArray<Gap> Marks => State.View != ViewName.Overview || State.Show.AllMarks ? Events
        : [.. Events.Where(g => g.IsWait || g.Number == State.Selected)];

    /// <summary>What was found, but for moves of hill climbing that do no harm: view 5 tells of them.</summary>
    public IReadOnlyList<Finding> Findings { get; } =
        [.. Report.Findings.Where(f => f is not { Id: ClimbingRule, Severity: Severity.Note })];

    /// <summary>The selected gap if it is still kept.</summary>
    public Gap? Selected => State.Selected is { } number ? Report.Gaps.FirstOrDefault(g => g.Number == number) : null;

    /// <summary>Whether the user has read a finding, and it has not become more serious since.</summary>
    public bool IsAcknowledged(Finding finding) => State.Acknowledged.TryGetValue(finding.Id, out var then) && finding.Severity <= then;

    /// <summary>Whether nothing comes any more: what was seen last is then not now.</summary>
    public bool IsOver => Report.End is not (SessionEnd.StillOpen or SessionEnd.EndOfRecording);

    /// <summary>What the newest moment that is shown is called: of a picture that stands still, its time.</summary>
    public string Newest => State.Freeze is not null ? Clock(Timeline.Now) : IsOver ? "end" : "now";

    /// <summary>A moment: back from the newest while the screen follows, else since the start of the capture.</summary>
    public string Time(EventTime at) => !State.Follows ? Clock(at)
        : Format.Ago(Timeline.Now.MsSince(at)) is "now" ? Newest : Format.Ago(Timeline.Now.MsSince(at));

    /// <summary>The same with its preposition: <c>at -7.4s</c>, <c>at 00:10.6</c>, <c>now</c>.</summary>
    public string AtTime(EventTime at) => Time(at) switch
    {
        "now" => "now",
        "end" => "at the end",
        var time => $"at {time}",
    };

    string Clock(EventTime at) => Format.Clock(at.MsSince(Timeline.Start), tenths: true);

    public TimeWindow Window(int columns) => TimeWindow.Of(Timeline, State, columns);
}
