using Tpwatch.Controls;
using Tpwatch.Screen.Bars;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.Lanes;
using Tpwatch.Screen.State;
using Tpwatch.Screen.Views;

namespace Tpwatch.Screen.Frame;

/// <summary>The screen: the newest report, what the user chose, and the keys that change it.</summary>
/// <param name="latest">The newest report, null before there is one.</param>
/// <param name="notice">A banner from outside, null for none: BEHIND, RECONNECTING. Starts with one upper-case word.</param>
/// <param name="look">Colours and glyphs.</param>
sealed class UiApp(Func<PoolReport?> latest, Func<string?> notice, Look look) : IUiApp
{
    ViewState state = new();
    PoolReport? newest;
    string? clip;
    ScreenActions? actions;
    long arrived;
    int columns;
    (int Width, int Height) size;

    /// <summary>Writes a report somewhere and says where, or why not; null where nothing can be written.</summary>
    public Func<PoolReport, string>? Save { get; init; }

    /// <summary>What else may be asked of whoever observes.</summary>
    public ScreenLinks Links { get; init; } = new();

    /// <summary>Runs what takes long beside the screen.</summary>
    public Func<Action, Task> Beside { get; init; } = Task.Run;

    ScreenActions Actions => actions ??= new(Links) { Run = Beside };
    Look Look => look.With(state.Looks.Theme, state.Looks.Glyphs);

    public bool Tick()
    {
        var (report, banner) = (latest(), notice());
        var before = state;
        var same = IsSame(report, newest);
        if (!same)
        {
            arrived = Links.Time.GetTimestamp();
        }

        // Another session has its own time: what was chosen in the one before means nothing in it.
        if (report is not null && newest is not null && report.Timeline.Start != newest.Timeline.Start)
        {
            state = Navigation.Follow(state) with { Selected = null, Measure = null, Imagined = null, Freeze = null };
        }

        newest = report;
        state = state with { Notice = banner, Playing = PlayText.Of(Links.Playback), Freeze = Thaw(report) };
        state = Actions.Arrived(state, SceneOf, columns) ?? state;
        state = ProbeSayings.In(state, Links.Probes(), newest, Links.Time);
        state = state with
        {
            AheadMs = state.Freeze is null ? Countdown.AheadMs(newest, Links.Playback, Links.Time.GetElapsedTime(arrived)) : 0,
            Flash = state.Freeze is null && before.Freeze is not null
                ? "The frozen data is no longer kept. This is the newest."
                : state.Flash,
        };
        if (columns > 0 && SceneOf(state) is { } scene)
        {
            state = state with { Held = Hold(scene) };
        }

        return !same || state != before;
    }

    public CellGrid Render(int width, int height)
    {
        columns = LaneBox.PlotColumns(width);
        size = (width, height);
        if (SceneOf(state) is not { } scene)
        {
            return ScreenFrame.Waiting(look, width, height);
        }

        return Picture(scene, state with { Held = Hold(scene) });
    }

    public Reply OnKey(KeyPress key)
    {
        var (before, cleared) = (state, state with { Flash = null, Ask = null });
        state = cleared;
        var wish = state.Menu is { } menu ? Chosen(menu, key) : state.Prompt is null ? Wish.Of(Bindings.Of(key, state.View)) : Typed(key);
        if (wish?.Action is UiAction.Quit or UiAction.Redraw)
        {
            return wish.Action == UiAction.Quit ? Reply.Quit : Reply.Redraw;
        }

        if (wish is not null && SceneOf(state) is { } scene && (!TextScroll.Lies(state) || TextScroll.IsForText(wish.Action))
            && !(before.Ask is not null && wish.Action == UiAction.Peel))
        {
            state = Next(wish, scene, before.Ask);
        }

        if (state == cleared && before.Ask is null && state.Prompt is null && SceneOf(state) is { } unchanged)
        {
            state = state with { Flash = KeySayings.Of(key, wish?.Action, unchanged) };
        }

        state = KeySayings.AfterAsking(before, wish, state);
        return state != before ? Reply.Handled : Reply.Ignored;
    }

    public string? TakeClip()
    {
        var text = clip;
        clip = null;
        return text;
    }

    // Min as the user says stands in for what nobody has seen.
    Scene? SceneOf(ViewState of) => (of.Freeze?.Shown ?? newest) is not { } report ? null
        : new(of.Min is not { } min ? report : report with
        {
            Timeline = report.Timeline with { Target = report.Timeline.Target with { MinWorkers = new(min, SettingSource.Inferred) } },
        }, of);

    // A picture that nothing is kept of any more would say what nobody can look at.
    Freeze? Thaw(PoolReport? report) => state.Freeze is not { } freeze || report is null ? state.Freeze
        : report.Timeline.Buckets.TimeOf(report.Timeline.Buckets.FirstIndex) > freeze.Shown.Timeline.Now ? null
        : freeze with { Newest = report };

    // What ends a prompt may ask for something that only the screen can do.
    Wish? Typed(KeyPress key)
    {
        if (Bindings.Of(key, state.View) == UiAction.Quit && key.Ctrl)
        {
            return new(UiAction.Quit);
        }

        if (SceneOf(state) is not { } scene)
        {
            state = state with { Prompt = null };
            return null;
        }

        (state, var wish) = TypedKeys.Next(scene, columns, key);
        return wish;
    }

    Wish? Chosen(Menu menu, KeyPress key)
    {
        (state, var wish) = MenuKeys.Next(state, menu, key);
        return wish;
    }

    ViewState Next(Wish wish, Scene scene, Ask? asked) => Actions.Next(wish, scene, asked) ?? wish.Action switch
    {
        UiAction.Freeze => state with { Freeze = state.Freeze is null && newest is not null ? new Freeze(newest, newest) : null },
        UiAction.Copy => Copy(scene),
        UiAction.Save => state with { Flash = Save is { } save ? save(scene.Report) : "Reports cannot be saved here." },
        UiAction.PageUp when TextScroll.HasText(state) => state with { Scroll = Math.Max(0, state.Scroll - Page) },
        UiAction.PageDown when TextScroll.HasText(state) => Scrolled(scene, Page),
        UiAction.First when TextScroll.IsAllText(state) => state with { Scroll = 0 },
        UiAction.Last when TextScroll.IsAllText(state) => Scrolled(scene, short.MaxValue),
        UiAction.PageUp when state.View == ViewName.Injections => Steps.Row(scene, columns, -Page),
        UiAction.PageDown when state.View == ViewName.Injections => Steps.Row(scene, columns, Page),
        UiAction.RowUp when TextScroll.Lies(state) || state.Detail => state with { Scroll = Math.Max(0, state.Scroll - 1) },
        UiAction.RowDown when TextScroll.Lies(state) || state.Detail => Scrolled(scene, 1),
        _ => Steps.Next(wish.Action, scene, columns),
    };

    int Page => Math.Max(1, size.Height / 3);

    ViewState Copy(Scene scene)
    {
        if (ClipText.Of(scene) is not { } text)
        {
            return state with { Flash = "Nothing is selected to copy." };
        }

        clip = text;
        return state with { Flash = $"Asked the terminal to copy {Format.Plural(text.Length, "character")}; some terminals refuse." };
    }

    ViewState Scrolled(Scene scene, int lines) => TextScroll.Down(state, lines, seen => Picture(scene, seen));

    CellGrid Picture(Scene scene, ViewState seen) => ScreenFrame.Of(scene with { State = seen }, Look, size.Width, size.Height);

    // Following, ranges grow and shrink only when much too large; standing still, they are what is seen.
    LaneRanges Hold(Scene scene) => state.Follows
        ? state.Held.Follow(LaneRanges.Of(Fold.Of(scene.Timeline.Buckets, scene.Window(columns))))
        : LaneRanges.Empty;

    static bool IsSame(PoolReport? a, PoolReport? b) =>
        ReferenceEquals(a, b) || a is not null && b is not null && a.End == b.End && a.Timeline.Now == b.Timeline.Now && a.Gaps == b.Gaps
        && a.Headline == b.Headline;
}
