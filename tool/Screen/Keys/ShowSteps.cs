using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Keys;

/// <summary>How the views of single items, stacks and marks are set; each says what it did, since the picture may show the same.</summary>
static class ShowSteps
{
    const string NoStacks = "There are no stacks yet. t takes them.";
    const string NoItems = "Single items are not measured yet. t measures them.";

    public static ViewState Next(UiAction action, Scene scene)
    {
        var (state, show) = (scene.State, scene.State.Show);
        return action switch
        {
            UiAction.WaitOrRun => HasItems(scene)
                ? With(state, show.NextTimes(), $"Shown: {Word(show.NextTimes().Times)}.")
                : Say(state, NoItems),
            UiAction.Percentiles => HasItems(scene)
                ? With(state, show with { FewPercentiles = !show.FewPercentiles },
                    show.FewPercentiles ? "All percentiles are shown." : "Few percentiles are shown.")
                : Say(state, NoItems),
            UiAction.Frames => HasStacks(scene)
                ? With(state, show with { AllFrames = !show.AllFrames },
                    show.AllFrames ? "Framework frames are hidden." : "All frames are shown.")
                : Say(state, NoStacks),
            UiAction.Sort => HasStacks(scene)
                ? With(state, show with { ByKind = !show.ByKind, Row = 0 }, show.ByKind ? "Grouped by frame." : "Grouped by kind of wait.")
                : Say(state, NoStacks),
            _ when state.View == ViewName.Overview => With(state, show with { AllMarks = !show.AllMarks }, show.AllMarks
                ? "Only injections and waits are marked." : "Every change is marked; = as expected, ! early or late."),
            _ => With(state, show with { MovesOnly = !show.MovesOnly },
                show.MovesOnly ? "All adjustments are shown." : "Only adjustments that changed the target are shown."),
        };
    }

    static bool HasStacks(Scene scene) => scene.Report.Blockers is { IsDefaultOrEmpty: false };

    static bool HasItems(Scene scene) => scene.Report.QueueDelay is not null || scene.Report.RunTime is not null;

    static string Word(ItemChoice times) => times switch
    {
        ItemChoice.Wait => "queue time",
        ItemChoice.Run => "run time",
        _ => "queue time and run time",
    };

    static ViewState With(ViewState state, DetailChoice show, string said) => Say(state with { Show = show }, said);

    static ViewState Say(ViewState state, string said) => state with { Flash = said };
}
