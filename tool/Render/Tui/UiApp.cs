using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;
using Tpwatch.Render.Tui.Views;
using Tpwatch.Render.Tui.Widgets;

namespace Tpwatch.Render.Tui;

/// <summary>The screen: the newest report, what the user chose, and the keys that change it.</summary>
/// <param name="latest">The newest report, null before there is one.</param>
/// <param name="notice">A banner from outside, null for none: BEHIND, RECONNECTING. Starts with one upper-case word.</param>
/// <param name="look">Colours and glyphs.</param>
internal sealed class UiApp(Func<PoolReport?> latest, Func<string?> notice, Look look) : IUiApp
{
    ViewState state = new();
    PoolReport? newest;
    int columns;

    PoolReport? Shown => state.Freeze?.Shown ?? newest;

    /// <inheritdoc/>
    public bool Tick()
    {
        var (report, banner) = (latest(), notice());
        var changed = !IsSame(report, newest) || banner != state.Notice;
        newest = report;
        state = state with { Notice = banner, Freeze = state.Freeze is { } freeze && report is not null ? freeze with { Newest = report } : state.Freeze };
        return changed;
    }

    /// <inheritdoc/>
    public CellGrid Render(int width, int height)
    {
        columns = LaneBox.PlotColumns(width);
        if (Shown is not { } report)
        {
            return Frame.Waiting(look, width, height);
        }

        state = state with { Held = Hold(new Scene(report, state)) };
        return Frame.Of(new Scene(report, state), look, width, height);
    }

    /// <inheritdoc/>
    public Reply OnKey(KeyPress key)
    {
        var action = Bindings.Of(key);
        switch (action)
        {
            case null: return Reply.Ignored;
            case UiAction.Quit: return Reply.Quit;
            case UiAction.Redraw: return Reply.Redraw;
        }

        var before = state;
        state = state.Help && action is not (UiAction.Help or UiAction.Peel) ? state : Shown is { } report ? Next(action.Value, new Scene(report, state)) : state;
        return state == before ? Reply.Ignored : Reply.Handled;
    }

    ViewState Next(UiAction action, Scene scene) => action switch
    {
        UiAction.Help => state with { Help = !state.Help },
        UiAction.Peel => Navigation.Peel(state),
        UiAction.Freeze => state with { Freeze = state.Freeze is null ? new Freeze(scene.Report, scene.Report) : null },
        UiAction.Follow => Navigation.Follow(state) with { Selected = null },
        UiAction.Newest => Navigation.Follow(state),
        UiAction.Oldest => Navigation.Oldest(scene, columns),
        UiAction.PreviousEvent => Navigation.Select(scene, columns, -1, Any),
        UiAction.NextEvent => Navigation.Select(scene, columns, 1, Any),
        UiAction.PreviousInjection => Navigation.Select(scene, columns, -1, GapMark.IsInjection),
        UiAction.NextInjection => Navigation.Select(scene, columns, 1, GapMark.IsInjection),
        UiAction.ZoomIn => Navigation.Scale(scene, columns, Zoom.In(state.ScaleMs)),
        UiAction.ZoomOut => Navigation.Scale(scene, columns, Zoom.Out(state.ScaleMs)),
        UiAction.ZoomDefault => Navigation.Scale(scene, columns, Zoom.Default),
        UiAction.PanBack => Navigation.Pan(scene, columns, -1),
        UiAction.PanForward => Navigation.Pan(scene, columns, 1),
        _ => state,
    };

    // Following, ranges grow and shrink only when much too large; standing still, they are what is seen.
    LaneRanges Hold(Scene scene) => state.Follows
        ? state.Held.Follow(LaneRanges.Of(Fold.Of(scene.Timeline.Buckets, scene.Window(columns))))
        : LaneRanges.Empty;

    static bool Any(Gap gap) => true;

    static bool IsSame(PoolReport? a, PoolReport? b) =>
        ReferenceEquals(a, b) || a is not null && b is not null && a.End == b.End && a.Timeline.Now == b.Timeline.Now && a.Gaps == b.Gaps
        && a.Headline == b.Headline;
}
