using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Screen.Commands;

/// <summary>The state of the screen, mostly the user's choices; immutable, so every key makes a new state.</summary>
sealed record ViewState
{
    public ViewName View { get; init; }

    /// <summary>Time that one column covers, milliseconds.</summary>
    public int ScaleMs { get; init; } = Zoom.Default;

    /// <summary>The time at the right edge of the screen; null means that the screen follows the newest data.</summary>
    public EventTime? Right { get; init; }

    /// <summary>Number of the selected event (delay or adjustment) in all views; kept when the report no longer holds the event.</summary>
    public int? Selected { get; init; }

    /// <summary>Id of the rule under the cursor in the view of the findings; null means the first row.</summary>
    public string? Rule { get; init; }

    /// <summary>Whether the details of the selected event fill the view.</summary>
    public bool Detail { get; init; }

    public ListFilter List { get; init; } = new();

    /// <summary>The message about the last key, shown in place of the key hints until the next key.</summary>
    public string? Flash { get; init; }

    /// <summary>The marks of a measured span; null without a mark.</summary>
    public MarkedSpan? Measure { get; init; }

    /// <summary>The what-if answer that is drawn over the observed curves; null without an answer.</summary>
    public WhatIfAnswer? Simulated { get; init; }

    public bool IsSimulating { get; init; }

    /// <summary>The question that waits for a second press of a key; null without a question.</summary>
    public PendingConfirmation? Pending { get; init; }

    /// <summary>MinThreads that the user assumes with <c>:min</c>; null uses the observed value.</summary>
    public int? Min { get; init; }

    /// <summary>Ids of the findings that the user has marked as read, each with the severity of the finding at that time.</summary>
    public ImmutableSortedDictionary<string, Severity> Acknowledged { get; init; } = ImmutableSortedDictionary<string, Severity>.Empty;

    public DetailViewSettings Show { get; init; } = new();

    /// <summary>The state of the replay, in one or two words; null where nothing is replayed.</summary>
    public string? Playing { get; init; }

    /// <summary>Time by which the capture has advanced since the newest report came, milliseconds; 0 unless a countdown is shown.</summary>
    public double AheadMs { get; init; }

    /// <summary>Theme and glyphs that the user typed; null keeps the theme or glyphs of the start.</summary>
    public (ThemeMode? Theme, GlyphMode? Glyphs) Looks { get; init; }

    /// <summary>The state of the requested stack samples, one sentence; null without a message.</summary>
    public string? Probing { get; init; }

    /// <summary>Timestamp, by the screen's clock, at which the newest message in <see cref="Probing"/> appeared.</summary>
    public long ProbingAt { get; init; }

    /// <summary>Whether stack samples are switched on; tpwatch then takes stack samples while items wait.</summary>
    public bool TakesStacks { get; init; }

    /// <summary>Whether the key <c>t</c> can switch stack samples on.</summary>
    public bool MayTakeStacks { get; init; } = true;

    /// <summary>Whether the key <c>t</c> can switch the measurement of single work items on.</summary>
    public bool MayMeasureItems { get; init; } = true;

    /// <summary>Whether to offer stack samples: threads may be blocked, and the key <c>t</c> would find the blocking call.</summary>
    public bool OffersStacks { get; init; }

    public FrozenDisplay? Freeze { get; init; }

    public Notice? Notice { get; init; }

    /// <summary>Value ranges that the lanes keep while the screen follows the newest data, so that the picture does not jump.</summary>
    public LaneScales Held { get; init; } = LaneScales.Empty;

    public bool Follows => Right is null;
}

/// <summary>A warning from the watch for the status line: an upper-case word, and the rest of the sentence, in full and in brief.</summary>
sealed record Notice(string Word, string Text, string? Brief = null);

/// <summary>The views, in the order of their keys 1 to 6.</summary>
enum ViewName
{
    Overview,
    Injections,
    Stacks,
    Latency,
    Climbing,
    Findings,
}

/// <summary>A set of views, such as those on which a key has a meaning.</summary>
[Flags]
enum ViewSet
{
    None = 0,
    Overview = 1 << ViewName.Overview,
    Injections = 1 << ViewName.Injections,
    Stacks = 1 << ViewName.Stacks,
    Latency = 1 << ViewName.Latency,
    Climbing = 1 << ViewName.Climbing,
    Findings = 1 << ViewName.Findings,

    /// <summary>The views with a time axis that the keys zoom and scroll.</summary>
    Timelines = Overview | Climbing,

    /// <summary>The views in which an injection delay or adjustment can be selected.</summary>
    Events = Overview | Injections | Climbing,

    /// <summary>The views with a table of events or findings.</summary>
    Lists = Injections | Climbing | Findings,

    /// <summary>The views with a table, including the stacks, whose rows have no time.</summary>
    Rows = Lists | Stacks,

    Everywhere = Overview | Injections | Stacks | Latency | Climbing | Findings,
}

static class ViewSets
{
    public static bool Has(this ViewSet set, ViewName view) => (set & (ViewSet)(1 << (int)view)) != 0;
}

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
    /// The events that the present view marks. The overview marks the selected event and delays in which items may have waited, such as
    /// injections. On request the overview also marks other events, such as adjustments by hill climbing and ended idle threads.
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

    /// <summary>Whether the session has ended, so that the newest data is not the present state; false for a complete recording.</summary>
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

/// <summary>Which verdicts the list of events shows.</summary>
enum DelayVerdictFilter
{
    All,
    AsExpected,
    EarlyOrLate,
    NoRule,
    NotJudged,
}

/// <summary>The filters of a list.</summary>
sealed record ListFilter
{
    public DelayVerdictFilter Verdicts { get; init; }

    /// <summary>The text typed after <c>/</c>.</summary>
    public string Filter { get; init; } = "";

    public bool IsNarrowed => Verdicts != DelayVerdictFilter.All || Filter.Length > 0;

    public ListFilter Wide => this with { Verdicts = DelayVerdictFilter.All, Filter = "" };

    public ListFilter NextVerdicts() => this with { Verdicts = Next(Verdicts) };

    public bool Shows(DelayVerdict verdict) => Verdicts switch
    {
        DelayVerdictFilter.AsExpected => verdict == DelayVerdict.AsExpected,
        DelayVerdictFilter.EarlyOrLate => verdict is DelayVerdict.Early or DelayVerdict.Late,
        DelayVerdictFilter.NoRule => verdict == DelayVerdict.NoRule,
        DelayVerdictFilter.NotJudged => verdict is DelayVerdict.NoData or DelayVerdict.NotTimed or DelayVerdict.Open,
        _ => true,
    };

    public string VerdictWord => Verdicts switch
    {
        DelayVerdictFilter.AsExpected => "as expected",
        DelayVerdictFilter.EarlyOrLate => "early or late",
        DelayVerdictFilter.NoRule => "unexplained",
        DelayVerdictFilter.NotJudged => "not judged",
        _ => "all",
    };

    /// <summary>Returns the next value of an enum, or the first value after the last one, for keys that cycle.</summary>
    public static T Next<T>(T value) where T : struct, Enum
    {
        var values = Enum.GetValues<T>();
        return values[(Array.IndexOf(values, value) + 1) % values.Length];
    }
}

/// <summary>Which durations of work items are shown.</summary>
enum ItemDurationChoice
{
    /// <summary>Queue time: from queued to dequeued.</summary>
    Wait,

    /// <summary>Run time: from dequeued to completed.</summary>
    Run,

    Both,
}

/// <summary>Settings of the views of work items, stacks and hill climbing.</summary>
sealed record DetailViewSettings
{
    public ItemDurationChoice Times { get; init; }

    /// <summary>Whether the table of item times shows only the median, the 99th percentile and the maximum.</summary>
    public bool FewPercentiles { get; init; }

    /// <summary>Whether stacks include the framework's frames.</summary>
    public bool AllFrames { get; init; }

    /// <summary>Whether the table of stacks has one row for each kind of wait instead of one for each place.</summary>
    public bool ByKind { get; init; }

    /// <summary>Index of the row under the cursor in the view of the stacks.</summary>
    public int Row { get; init; }

    /// <summary>Whether adjustments by hill climbing are hidden if they did not change the target thread count.</summary>
    public bool MovesOnly { get; init; }

    /// <summary>Whether the overview shows all marks, each with its judgement: as expected, early or late.</summary>
    public bool AllMarks { get; init; }

    public DetailViewSettings NextTimes() => this with { Times = ListFilter.Next(Times) };
}

/// <summary>The value ranges of the lanes.</summary>
/// <param name="ThreadsMin">Smallest number of worker threads or target thread count.</param>
/// <param name="ThreadsMax">Largest number of worker threads or target thread count; below the minimum when nothing is known.</param>
/// <param name="Done">Largest number of completed items per second.</param>
sealed record LaneScales(int ThreadsMin, int ThreadsMax, double QueueLength, double Done)
{
    const int MuchTooLarge = 4;

    /// <summary>Maximum range of a flat lane, threads: hill climbing constantly moves a healthy pool by one thread.</summary>
    const int AsGoodAsFlat = 1;

    public static LaneScales Empty { get; } = new(int.MaxValue, -1, 0, 0);

    /// <summary>Whether the number of threads varies by no more than one, or is not known.</summary>
    public bool FlatThreads => ThreadsMax - (long)ThreadsMin <= AsGoodAsFlat;

    public static LaneScales Of(FoldedTimeline fold)
    {
        var ranges = Empty;
        foreach (var column in fold.Columns)
        {
            var workers = column.Workers;
            ranges = ranges.Threads(workers.Min).Threads(workers.Max).Threads(column.TargetThreads) with
            {
                QueueLength = Math.Max(ranges.QueueLength, column.QueueLength),
                Done = double.IsNaN(column.Done) ? ranges.Done : Math.Max(ranges.Done, column.Done),
            };
        }

        return ranges;
    }

    /// <summary>Returns ranges that cover both these ranges and <paramref name="other"/>.</summary>
    public LaneScales And(LaneScales other) => new(
        Math.Min(ThreadsMin, other.ThreadsMin), Math.Max(ThreadsMax, other.ThreadsMax),
        Math.Max(QueueLength, other.QueueLength), Math.Max(Done, other.Done));

    /// <summary>
    /// Returns the ranges to keep from now on: these ranges, extended to <paramref name="needed"/>, so that the picture does not jump. A
    /// range shrinks only if the needed range is a quarter of it or less, which means that a peak has left the screen.
    /// </summary>
    public LaneScales Follow(LaneScales needed)
    {
        var both = And(needed);
        var threads = needed.ThreadsMax >= 0 && needed.Threads() * MuchTooLarge <= both.Threads() ? needed : both;
        return new(
            threads.ThreadsMin, threads.ThreadsMax,
            needed.QueueLength * MuchTooLarge <= both.QueueLength ? needed.QueueLength : both.QueueLength,
            needed.Done * MuchTooLarge <= both.Done ? needed.Done : both.Done);
    }

    long Threads() => ThreadsMax - (long)ThreadsMin + 1;

    LaneScales Threads(int value) => value < 0
        ? this
        : this with { ThreadsMin = Math.Min(ThreadsMin, value), ThreadsMax = Math.Max(ThreadsMax, value) };
}

/// <summary>A frozen display, which stays unchanged while the capture goes on.</summary>
sealed record FrozenDisplay(PoolReport Shown, PoolReport Newest);

/// <summary>
/// A question before an action that costs something or deletes data. The first press of the action's key shows <see cref="Text"/>, and the
/// second press runs the action. Most other keys cancel the action.
/// </summary>
/// <param name="Text">What the action does, and which keys confirm or cancel the action.</param>
sealed record PendingConfirmation(UiAction Action, string Text);

/// <summary>The two marks of a measured span; the second is null until the user sets it.</summary>
sealed record MarkedSpan(EventTime A, EventTime? B);
