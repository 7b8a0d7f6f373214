using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Screen.Commands;

/// <summary>Computes the view state that follows an action of the user; all functions are pure.</summary>
static class ActionReducer
{
    public static ViewState Next(UiAction action, Scene scene, int columns)
    {
        var state = scene.State;
        return action switch
        {
            UiAction.Acknowledge => FindingReducer.Acknowledge(scene),
            UiAction.WaitOrRun or UiAction.Percentiles or UiAction.Frames or UiAction.HideNoMove => DetailReducer.Next(action, scene),
            UiAction.Sort when state.View == ViewName.Stacks => DetailReducer.Next(action, scene),
            UiAction.Peel => Navigation.Peel(state),
            UiAction.NextView => Navigation.Open(state, (ViewName)(((int)state.View + 1) % Enum.GetValues<ViewName>().Length)),
            >= UiAction.ShowOverview and <= UiAction.ShowFindings => Navigation.Open(state, (ViewName)(action - UiAction.ShowOverview)),
            UiAction.Follow => Navigation.Follow(state) with
            {
                Selected = null,
                Freeze = null,
                Flash = state.View == ViewName.Overview ? null : "Following the newest data.",
            },
            UiAction.Enter or UiAction.OnTimeline => Cursor(scene, columns, action),
            UiAction.First => Navigation.Oldest(scene, columns),
            UiAction.Last => Navigation.Follow(state),
            UiAction.PreviousFinding => FindingReducer.Next(scene, columns, -1),
            UiAction.NextFinding => FindingReducer.Next(scene, columns, 1),
            UiAction.VerdictFilter => state with { List = state.List.NextVerdicts() },
            _ => InTime(action, scene, columns),
        };
    }

    static ViewState InTime(UiAction action, Scene scene, int columns) => action switch
    {
        UiAction.Oldest or UiAction.Newest when scene.State.View == ViewName.Injections => Event(scene, columns, action == UiAction.Oldest),
        UiAction.Newest => Navigation.Follow(scene.State),
        UiAction.Oldest => Navigation.Oldest(scene, columns),
        UiAction.PreviousEvent => Navigation.Select(scene, columns, -1, _ => true),
        UiAction.NextEvent => Navigation.Select(scene, columns, 1, _ => true),
        UiAction.PreviousInjection => Navigation.Select(scene, columns, -1, DelayMark.IsInjection),
        UiAction.NextInjection => Navigation.Select(scene, columns, 1, DelayMark.IsInjection),
        UiAction.ZoomIn => Navigation.Scale(scene, columns, Zoom.In(scene.State.ScaleMs)),
        UiAction.ZoomOut => Navigation.Scale(scene, columns, Zoom.Out(scene.State.ScaleMs)),
        UiAction.ZoomDefault => Navigation.Scale(scene, columns, Zoom.Default),
        UiAction.PanBack or UiAction.PageUp => Navigation.Pan(scene, columns, -1),
        UiAction.PanForward or UiAction.PageDown => Navigation.Pan(scene, columns, 1),
        UiAction.FitStarved => Starved(scene, columns),
        UiAction.Mark => Mark(scene, columns),
        _ => scene.State,
    };

    static ViewState Event(Scene scene, int columns, bool oldest) => scene.Events is [var first, ..] and [.., var last]
        ? Navigation.Show(scene, columns, oldest ? first : last)
        : scene.State;

    static ViewState Cursor(Scene scene, int columns, UiAction action)
    {
        if (scene.State.View == ViewName.Findings)
        {
            return FindingRow.Under(scene) is { } row ? FindingReducer.Evidence(scene, columns, row) : scene.State;
        }

        if (Under(scene) is not { } delay)
        {
            return scene.State with { Flash = "No event yet." };
        }

        var shown = Navigation.Show(scene, columns, delay);
        return action == UiAction.OnTimeline
            ? Navigation.Open(shown, ViewName.Overview)
            : Navigation.Open(shown, ViewName.Injections) with
            {
                Detail = true,
                List = scene.State.View == ViewName.Injections ? shown.List : shown.List.Wide,
            };
    }

    /// <summary>Returns the selected event of the shown view, by default the newest; null if there is none.</summary>
    public static InjectionDelay? Under(Scene scene)
    {
        if (scene.State.View == ViewName.Overview)
        {
            return scene.State.Selected is null ? scene.Marks.LastOrDefault() : scene.Selected;
        }

        return scene.State.View != ViewName.Climbing ? DelayRows.Under(scene) ?? scene.Selected
            : DelayRows.Climbing(scene) is var rows && DelayRows.IndexOf(rows, scene) is >= 0 and var at ? rows[at] : scene.Selected;
    }

    // Zooms to the newest starvation episode. Each further call shows the previous episode; after the oldest, the newest is next.
    static ViewState Starved(Scene scene, int columns)
    {
        var spans = scene.Report.Episodes.Reverse().Select(e => e.Lasting(scene.Timeline.Now)).ToList();
        if (spans.Count == 0)
        {
            return scene.State with { Flash = "There is no starved time to show." };
        }

        var fits = spans.Select(s => Navigation.Fit(scene, columns, s)).ToList();
        var next = (fits.FindIndex(f => f.Right == scene.State.Right && f.ScaleMs == scene.State.ScaleMs) + 1) % fits.Count;
        var (from, to) = (spans[next].From.MsSince(scene.Timeline.Start), spans[next].To.MsSince(scene.Timeline.Start));
        var which = fits.Count == 1 ? "the only time" : FormattableString.Invariant($"{fits.Count - next} of {fits.Count} times");
        return fits[next] with
        {
            Flash = $"Items waited from {Format.Clock(from, tenths: true)} to {Format.Clock(to, tenths: true)}, "
                + $"{Format.Duration(to - from)}: {which}.",
        };
    }

    static ViewState Mark(Scene scene, int columns)
    {
        var at = scene.Selected?.End ?? (scene.State.Follows ? scene.Timeline.Now : scene.Window(columns).To);
        return scene.State.Measure is { B: null } measure
            ? scene.State with { Measure = measure with { B = at }, Flash = MarkedSpanText.Of(scene, measure.A, at) }
            : scene.State with
            {
                Measure = new MarkedSpan(at, null),
                Flash = $"Mark A is at {Format.Clock(at.MsSince(scene.Timeline.Start), tenths: true)}. Move and press m again.",
            };
    }
}

/// <summary>Switches what a view shows, such as percentiles. A message reports the switch, because the picture may stay the same.</summary>
static class DetailReducer
{
    public static ViewState Next(UiAction action, Scene scene)
    {
        var (state, show) = (scene.State, scene.State.Show);
        return action switch
        {
            UiAction.WaitOrRun => With(state, show.NextTimes(), $"Shown: {Word(show.NextTimes().Times)}."),
            UiAction.Percentiles => With(state, show with { FewPercentiles = !show.FewPercentiles },
                show.FewPercentiles ? "All percentiles are shown." : "Few percentiles are shown."),
            UiAction.Frames => With(state, show with { AllFrames = !show.AllFrames },
                show.AllFrames ? "Framework frames are hidden." : "All frames are shown."),
            UiAction.Sort => With(state, show with { ByKind = !show.ByKind, Row = 0 },
                show.ByKind ? "Grouped by frame." : "Grouped by kind of wait."),
            _ when state.View == ViewName.Overview => With(state, show with { AllMarks = !show.AllMarks }, show.AllMarks
                ? "Only injections and waits are marked." : "Every change is marked; = as expected, ! early or late."),
            _ => With(state, show with { MovesOnly = !show.MovesOnly },
                show.MovesOnly ? "All adjustments are shown." : "Only adjustments that changed the target are shown."),
        };
    }

    static string Word(ItemDurationChoice times) => times switch
    {
        ItemDurationChoice.Wait => "queue time",
        ItemDurationChoice.Run => "run time",
        _ => "queue time and run time",
    };

    static ViewState With(ViewState state, DetailViewSettings show, string said) => state with { Show = show, Flash = said };
}

/// <summary>Computes the view state after a key that selects a finding or marks it as read; all functions are pure.</summary>
static class FindingReducer
{
    /// <summary>Marks the finding as read or unread. A finding that becomes more serious counts as unread again.</summary>
    public static ViewState Acknowledge(Scene scene)
    {
        var state = scene.State;
        return FindingRow.Under(scene)?.Found is not { } found
            ? state with { Flash = "There is no finding to mark as read." }
            : scene.IsAcknowledged(found) ? state with { Acknowledged = state.Acknowledged.Remove(found.Id) }
            : state with { Acknowledged = state.Acknowledged.SetItem(found.Id, found.Severity) };
    }

    /// <summary>Shows the time span of a finding on the overview. An undecided rule has no time span and gets a message instead.</summary>
    public static ViewState Evidence(Scene scene, int columns, FindingRow row) => row.Found is { } finding
        ? Navigation.Open(Navigation.Fit(scene, columns, new EventSpan(finding.From, finding.To)), ViewName.Overview) with { Rule = row.Id }
        : scene.State with { Flash = $"{row.Id} is undecided: there is no evidence to show." };

    /// <summary>Selects the next finding (<paramref name="step"/> 1) or the previous one (-1).</summary>
    public static ViewState Next(Scene scene, int columns, int step)
    {
        var rows = FindingRow.Of(scene).Where(r => r.Found is not null).ToList();
        if (rows.Count == 0)
        {
            return scene.State with { Flash = "Nothing was found." };
        }

        var at = rows.FindIndex(r => r.Id == scene.State.Rule);
        var listed = scene.State.View == ViewName.Findings;
        var next = rows[at < 0 && !listed ? 0 : Math.Clamp(Math.Max(at, 0) + step, 0, rows.Count - 1)];
        return listed ? scene.State with { Rule = next.Id } : Evidence(scene, columns, next);
    }
}

/// <summary>Moves the time window and the selection on the timeline; each function returns the next state.</summary>
static class Navigation
{
    /// <summary>Selects the next wanted event, or the previous one if the direction is negative; the newest if none is selected.</summary>
    public static ViewState Select(Scene scene, int columns, int direction, Func<InjectionDelay, bool> wanted)
    {
        var events = scene.Marks.Where(wanted).ToImmutableArray();
        if (events.IsEmpty)
        {
            return scene.State;
        }

        var next = scene.State.Selected is not { } number ? events[^1]
            : direction < 0 ? events.LastOrDefault(g => g.Number < number) ?? events[0]
            : events.FirstOrDefault(g => g.Number > number) ?? events[^1];
        return Show(scene, columns, next);
    }

    /// <summary>Changes the time scale. A selected event on the screen keeps its column; otherwise the right edge keeps its time.</summary>
    public static ViewState Scale(Scene scene, int columns, int scaleMs)
    {
        var (state, window) = (scene.State, scene.Window(columns));
        if (scaleMs == state.ScaleMs)
        {
            return state;
        }

        var zoomed = state with { ScaleMs = scaleMs, Held = LaneScales.Empty };
        if (state.Follows)
        {
            return zoomed;
        }

        var after = window with { ScaleMs = scaleMs };
        var right = scene.Selected is { } delay && window.Shows(delay.End)
            ? after.TimeOf(after.ColumnOf(delay.End) + window.End - window.ColumnOf(delay.End))
            : window.To;
        return Clamp(scene with { State = zoomed }, columns, right);
    }

    /// <summary>Moves the time window back or forward by half a page.</summary>
    public static ViewState Pan(Scene scene, int columns, int direction)
    {
        var window = scene.Window(columns);
        return Clamp(scene, columns, window.TimeOf(window.End + direction * Math.Max(1, columns / 2)));
    }

    /// <summary>Brings a moment into the middle of the screen.</summary>
    public static ViewState Around(Scene scene, int columns, EventTime at)
    {
        var window = scene.Window(columns);
        return Clamp(scene, columns, window.TimeOf(window.ColumnOf(at) + 1 + columns / 2));
    }

    public static ViewState Oldest(Scene scene, int columns) => Clamp(scene, columns, scene.Timeline.Buckets.Origin);

    public static ViewState Follow(ViewState state) => state with { Right = null, Held = LaneScales.Empty };

    /// <summary>
    /// Goes back one step. The steps close the detail, the filter of a list and the view, and remove the what-if, the marks and the
    /// selection. The last steps return to the newest data and end the freeze.
    /// </summary>
    public static ViewState Peel(ViewState state) => state switch
    {
        { Detail: true } => state with { Detail = false },
        { View: ViewName.Injections or ViewName.Findings, List.IsNarrowed: true } => state with { List = state.List.Wide },
        { View: not ViewName.Overview } => Open(state, ViewName.Overview),
        { Simulated: not null } => state with { Simulated = null, Held = LaneScales.Empty },
        { Measure: not null } => state with { Measure = null },
        { Selected: not null } => state with { Selected = null },
        { Follows: false } => Follow(state),
        { Freeze: not null } => state with { Freeze = null },
        _ => state,
    };

    /// <summary>Switches to a view; the selection stays.</summary>
    public static ViewState Open(ViewState state, ViewName view) => state with { View = view, Detail = false };

    /// <summary>Shows a whole time span at the finest scale that fits, with some room at both sides.</summary>
    public static ViewState Fit(Scene scene, int columns, EventSpan span)
    {
        var scale = Zoom.Fitting(span.Ms, Math.Max(1, columns * 9 / 10));
        var zoomed = scene with { State = scene.State with { ScaleMs = scale, Held = LaneScales.Empty } };
        var spare = Math.Max(0, columns * (double)scale - span.Ms);
        return Clamp(zoomed, columns, span.To.PlusMs(Math.Min(spare / 2, columns * (double)scale / 20)));
    }

    /// <summary>Selects an event and brings it onto the screen.</summary>
    public static ViewState Show(Scene scene, int columns, InjectionDelay delay)
    {
        var window = scene.Window(columns);
        var selected = scene with { State = scene.State with { Selected = delay.Number } };
        return window.Shows(delay.End)
            ? selected.State with { Right = window.To }
            : Clamp(selected, columns, window.TimeOf(window.ColumnOf(delay.End) + 1 + columns / 2));
    }

    // Limits the right edge: the screen ends no later than the newest data and, if possible, begins no earlier than the oldest.
    static ViewState Clamp(Scene scene, int columns, EventTime right)
    {
        var newest = TimeWindow.Of(scene.Timeline, scene.State with { Right = null }, columns);
        var buckets = scene.Timeline.Buckets;
        var oldest = newest.TimeOf(newest.ColumnOf(buckets.TimeOf(buckets.FirstIndex)) + columns);
        var edge = right < oldest ? oldest : right;
        return scene.State with { Right = edge > newest.To ? newest.To : edge, Held = LaneScales.Empty };
    }
}

/// <summary>The time span of a what-if: from the first item to the end of the measured or the simulated run, whichever is later.</summary>
static class SimulatedSpan
{
    public static EventSpan Of(WhatIfAnswer answer, EventTime now)
    {
        var seen = answer.Seen.TotalMs is { } total ? answer.From.PlusMs(total) : now;
        return new(answer.From, EventTime.Max(seen, End(answer, now)));
    }

    /// <summary>Returns when the last simulated item completes; <paramref name="now"/> if some items never complete.</summary>
    public static EventTime End(WhatIfAnswer answer, EventTime now) => answer.Run.TotalMs is { } total ? answer.From.PlusMs(total) : now;

    /// <summary>Shows the part of the time span up to now, unless that part is on the screen already.</summary>
    public static ViewState Show(Scene scene, int columns)
    {
        var (window, now) = (scene.Window(columns), scene.Timeline.Now);
        var span = Of(scene.State.Simulated!, now);
        var seen = new EventSpan(span.From, span.To < now ? span.To : now);
        return window.Shows(span.From) && window.To >= seen.To ? scene.State : Navigation.Fit(scene, columns, seen);
    }
}

/// <summary>Describes the span between marks A and B: length, number of injections and events, and how long items waited.</summary>
static class MarkedSpanText
{
    public static string Of(Scene scene, EventTime a, EventTime b)
    {
        var span = a <= b ? new EventSpan(a, b) : new EventSpan(b, a);
        var between = scene.Events.Where(g => g.End > span.From && g.End <= span.To).ToList();
        var starved = scene.Report.Episodes.Where(e => e.Kind != Verdict.Held)
            .Sum(e => e.Lasting(scene.Timeline.Now).OverlapMs(span));
        return $"A to B: {Format.Duration(span.Ms)}, {Format.Plural(between.Count(DelayMark.IsInjection), "injection")}, "
            + $"{Format.Plural(between.Count, "event")}, items waited for {Format.Duration(starved)} of that.";
    }
}

/// <summary>Time spans on the screen.</summary>
static class ShownSpans
{
    /// <summary>Returns the span of an episode; an episode in progress lasts until now.</summary>
    public static EventSpan Lasting(this StarvedEpisode episode, EventTime now) =>
        episode.Over ? episode.Span : new(episode.Span.From, now);

    /// <summary>Returns the length of the common part of two spans, milliseconds.</summary>
    public static double OverlapMs(this EventSpan one, EventSpan other) =>
        Math.Max(0, EventTime.Min(one.To, other.To).MsSince(EventTime.Max(one.From, other.From)));
}
