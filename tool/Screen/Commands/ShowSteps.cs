using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Commands;

/// <summary>How the views of single items, stacks and marks are set; each says what it did, since the picture may show the same.</summary>
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
