using Tpwatch.Explain;
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
    string? clip;
    int columns;
    (int Width, int Height) size;

    /// <summary>Writes a report somewhere and says where, or why not; null where nothing can be written.</summary>
    public Func<PoolReport, string>? Save { get; init; }

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
        size = (width, height);
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
        var before = state;
        state = state with { Flash = null };
        var action = state.Prompt is null ? Bindings.Of(key, state.View) : Typed(key);
        switch (action)
        {
            case UiAction.Quit: return Reply.Quit;
            case UiAction.Redraw: return Reply.Redraw;
        }

        state = action is { } asked && Shown is { } report && (!state.Help || IsForHelp(asked)) ? Next(asked, new Scene(report, state)) : state;
        return state != before ? Reply.Handled : Reply.Ignored;
    }

    /// <inheritdoc/>
    public string? TakeClip()
    {
        var text = clip;
        clip = null;
        return text;
    }

    static bool IsForHelp(UiAction action) =>
        action is UiAction.Help or UiAction.Peel or UiAction.PageUp or UiAction.PageDown or UiAction.RowUp or UiAction.RowDown;

    // What ends a prompt may ask for something that only the screen can do.
    UiAction? Typed(KeyPress key)
    {
        if (Bindings.Of(key, state.View) == UiAction.Quit && key.Ctrl)
        {
            return UiAction.Quit;
        }

        if (Shown is not { } report)
        {
            state = state with { Prompt = null };
            return null;
        }

        (state, var action) = TypedKeys.Next(new Scene(report, state), columns, key);
        return action;
    }

    ViewState Next(UiAction action, Scene scene) => action switch
    {
        UiAction.Freeze => state with { Freeze = state.Freeze is null ? new Freeze(scene.Report, scene.Report) : null },
        UiAction.Copy => Copy(scene),
        UiAction.Save => state with { Flash = Save is { } save ? save(scene.Report) : "There is nowhere to save to." },
        UiAction.PageUp when HasText => state with { Scroll = Math.Max(0, state.Scroll - Page) },
        UiAction.PageDown when HasText => Scrolled(scene, Page),
        UiAction.PageUp when state.View == ViewName.Injections => Steps.Row(scene, columns, -Page),
        UiAction.PageDown when state.View == ViewName.Injections => Steps.Row(scene, columns, Page),
        UiAction.RowUp when state.Help || state.Detail => state with { Scroll = Math.Max(0, state.Scroll - 1) },
        UiAction.RowDown when state.Help || state.Detail => Scrolled(scene, 1),
        _ => Steps.Next(action, scene, columns),
    };

    // Everywhere else a page is one of time or of rows.
    bool HasText => state is { Help: true } or { Detail: true } or { View: ViewName.Findings or ViewName.Stacks or ViewName.Latency };

    int Page => Math.Max(1, size.Height / 3);

    ViewState Copy(Scene scene)
    {
        if (ClipText.Of(scene) is not { } text)
        {
            return state with { Flash = "Nothing is under the cursor." };
        }

        clip = text;
        return state with { Flash = $"Asked the terminal to copy {Format.Plural(text.Length, "character")}; some terminals refuse." };
    }

    // Not beyond the end: there the picture does not change any more.
    ViewState Scrolled(Scene scene, int lines)
    {
        var best = state;
        for (var i = 1; i <= lines; i++)
        {
            var next = state with { Scroll = state.Scroll + i };
            if (Picture(scene, best).SameAs(Picture(scene, next)))
            {
                break;
            }

            best = next;
        }

        return best;
    }

    CellGrid Picture(Scene scene, ViewState seen) => Frame.Of(scene with { State = seen }, look, size.Width, size.Height);

    // Following, ranges grow and shrink only when much too large; standing still, they are what is seen.
    LaneRanges Hold(Scene scene) => state.Follows
        ? state.Held.Follow(LaneRanges.Of(Fold.Of(scene.Timeline.Buckets, scene.Window(columns))))
        : LaneRanges.Empty;

    static bool IsSame(PoolReport? a, PoolReport? b) =>
        ReferenceEquals(a, b) || a is not null && b is not null && a.End == b.End && a.Timeline.Now == b.Timeline.Now && a.Gaps == b.Gaps
        && a.Headline == b.Headline;
}
