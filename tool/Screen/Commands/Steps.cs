using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Commands;

/// <summary>The next state after each action; pure functions of the scene.</summary>
static class Steps
{
    public static ViewState Next(UiAction action, Scene scene, int columns)
    {
        var state = scene.State;
        return action switch
        {
            UiAction.Acknowledge => FindingSteps.Acknowledge(scene),
            UiAction.WaitOrRun or UiAction.Percentiles or UiAction.Frames or UiAction.HideNoMove => ShowSteps.Next(action, scene),
            UiAction.Sort when state.View == ViewName.Stacks => ShowSteps.Next(action, scene),
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
            UiAction.PreviousFinding => FindingSteps.Next(scene, columns, -1),
            UiAction.NextFinding => FindingSteps.Next(scene, columns, 1),
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

    static ImmutableArray<InjectionDelay> RowsOf(Scene scene) =>
        scene.State.View == ViewName.Climbing ? DelayRows.Climbing(scene) : DelayRows.Of(scene);

    static ViewState Event(Scene scene, int columns, bool oldest) => scene.Events is [var first, ..] and [.., var last]
        ? Navigation.Show(scene, columns, oldest ? first : last)
        : scene.State;

    static ViewState Cursor(Scene scene, int columns, UiAction action)
    {
        if (scene.State.View == ViewName.Findings)
        {
            var rows = FindingRow.Of(scene);
            return FindingRow.Cursor(rows, scene) is >= 0 and var i ? FindingSteps.Evidence(scene, columns, rows[i]) : scene.State;
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

    /// <summary>Returns the event under the cursor of the view; null if there is none.</summary>
    public static InjectionDelay? Under(Scene scene)
    {
        if (scene.State.View == ViewName.Overview)
        {
            return scene.State.Selected is null ? scene.Marks.LastOrDefault() : scene.Selected;
        }

        var rows = RowsOf(scene);
        var index = scene.State.View == ViewName.Climbing ? DelayRows.IndexOf(rows, scene) : DelayRows.Cursor(rows, scene);
        return index < 0 ? scene.Selected : rows[index];
    }

    // The first press shows the newest episode, each further press the previous episode, and after the oldest the newest again.
    static ViewState Starved(Scene scene, int columns)
    {
        var spans = scene.Report.Episodes.Reverse().Select(e => BandOf(e, scene)).ToList();
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

    static EventSpan BandOf(StarvedEpisode episode, Scene scene) =>
        episode.Over ? episode.Span : new(episode.Span.From, scene.Timeline.Now);

    static ViewState Mark(Scene scene, int columns)
    {
        var at = scene.Selected?.End ?? (scene.State.Follows ? scene.Timeline.Now : scene.Window(columns).To);
        return scene.State.Measure is { B: null } measure
            ? scene.State with { Measure = measure with { B = at }, Flash = MeasureText.Of(scene, measure.A, at) }
            : scene.State with
            {
                Measure = new Measure(at, null),
                Flash = $"Mark A is at {Format.Clock(at.MsSince(scene.Timeline.Start), tenths: true)}. Move and press m again.",
            };
    }
}

/// <summary>Changes the settings of the views of items, stacks and marks, with a message, since the picture may stay as it is.</summary>
static class ShowSteps
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

    static string Word(ItemChoice times) => times switch
    {
        ItemChoice.Wait => "queue time",
        ItemChoice.Run => "run time",
        _ => "queue time and run time",
    };

    static ViewState With(ViewState state, DetailChoice show, string said) => state with { Show = show, Flash = said };
}
