using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Commands;

/// <summary>How keys move over the timeline; each function returns the next state.</summary>
static class Navigation
{
    /// <summary>Selects the next <paramref name="wanted"/> event in a direction, or the newest if no event is selected yet.</summary>
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

    /// <summary>Changes the scale; a visible selected event keeps its column, otherwise the right edge stays.</summary>
    public static ViewState Scale(Scene scene, int columns, int scaleMs)
    {
        var (state, window) = (scene.State, scene.Window(columns));
        if (scaleMs == state.ScaleMs)
        {
            return state;
        }

        var zoomed = state with { ScaleMs = scaleMs, Held = LaneRanges.Empty };
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

    public static ViewState Follow(ViewState state) => state with { Right = null, Held = LaneRanges.Empty };

    /// <summary>
    /// Goes back one step. The steps close the detail, the filter of a list and the view, and remove the what-if, the marks and the
    /// selection. The last steps return to the newest data and end the freeze.
    /// </summary>
    public static ViewState Peel(ViewState state) => state switch
    {
        { Detail: true } => state with { Detail = false },
        { View: ViewName.Injections or ViewName.Findings, List.IsNarrowed: true } => state with { List = state.List.Wide },
        { View: not ViewName.Overview } => Open(state, ViewName.Overview),
        { Simulated: not null } => state with { Simulated = null, Held = LaneRanges.Empty },
        { Measure: not null } => state with { Measure = null },
        { Selected: not null } => state with { Selected = null },
        { Follows: false } => Follow(state),
        { Freeze: not null } => state with { Freeze = null },
        _ => state,
    };

    /// <summary>Switches to a view; the selection stays.</summary>
    public static ViewState Open(ViewState state, ViewName view) =>
        state with { View = view, Detail = false };

    /// <summary>Shows a whole time span at the finest scale that fits, with some room at both sides.</summary>
    public static ViewState Fit(Scene scene, int columns, EventSpan span)
    {
        var scale = Zoom.Fitting(span.Ms, Math.Max(1, columns * 9 / 10));
        var zoomed = scene with { State = scene.State with { ScaleMs = scale, Held = LaneRanges.Empty } };
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

    // Limits the right edge of the screen to the newest data, and so that the screen is filled with data if there is enough.
    static ViewState Clamp(Scene scene, int columns, EventTime right)
    {
        var newest = TimeWindow.Of(scene.Timeline, scene.State with { Right = null }, columns);
        var buckets = scene.Timeline.Buckets;
        var oldest = newest.TimeOf(newest.ColumnOf(buckets.TimeOf(buckets.FirstIndex)) + columns);
        var edge = right < oldest ? oldest : right;
        return scene.State with { Right = edge > newest.To ? newest.To : edge, Held = LaneRanges.Empty };
    }
}
