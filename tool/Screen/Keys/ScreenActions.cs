using Tpwatch.Controls;
using Tpwatch.Screen.State;
using Tpwatch.WhatIf.Study;

namespace Tpwatch.Screen.Keys;

/// <summary>What keys ask of whoever observes: to imagine, to replay, to save, to switch probes. Each answers with a sentence.</summary>
sealed class ScreenActions(ScreenLinks links)
{
    Imagining? imagining;

    /// <summary>Runs what takes long; tests run it at once.</summary>
    public Func<Action, Task> Run { get; init; } = Task.Run;

    /// <summary>The next state, or null when the wish is for somebody else.</summary>
    /// <param name="wish">What was asked for.</param>
    /// <param name="scene">What is shown.</param>
    /// <param name="asked">What was about to be done when this key was pressed.</param>
    public ViewState? Next(Wish wish, Scene scene, Ask? asked)
    {
        var state = scene.State;
        return wish.Action switch
        {
            UiAction.WhatIf when wish.Change is { } change => Imagine(scene, change),
            UiAction.WhatIf => state with { Menu = Menu.Of(scene.Report), Help = false, Info = InfoText.None },
            UiAction.Export =>
                Say(state, links.Export is { } export ? export(scene.Report, wish.Path) : "There are no events to save here."),
            UiAction.PlayPause or UiAction.Slower or UiAction.Faster => Play(wish, state),
            UiAction.Again => Say(state, Again(scene)),
            UiAction.Forget => asked?.Action == UiAction.Forget
                ? Forget(state)
                : Confirm(state,
                    new(UiAction.Forget, "Press x again to clear the history; any other key cancels. "
                        + "A recording saved with e still has it.")),
            UiAction.Probe => Switch(scene, asked),
            _ => null,
        };
    }

    /// <summary>The state with what was being imagined, when it is there; null while there is nothing new.</summary>
    public ViewState? Arrived(ViewState state, Func<ViewState, Scene?> sceneOf, int columns)
    {
        if (imagining?.Outcome is not { } outcome)
        {
            return null;
        }

        var change = imagining.Change.Words;
        imagining = null;
        return outcome.Answer is not { } answer
            ? Say(state, $"{change} cannot be simulated: {outcome.Missing}")
            : sceneOf(state with { Imagined = answer, Flash = null, View = ViewName.Overview, Detail = false }) is { } scene
                ? StandsStill(ImaginedSpan.Show(scene, columns)) : null;
    }

    // Whoever does not know that the picture stopped takes it for the newest.
    static ViewState StandsStill(ViewState state) => state.Follows ? state
        : Say(state, "The picture is paused to show the what-if. esc removes the what-if, f follows the newest data.");

    ViewState Imagine(Scene scene, WhatIfChange change)
    {
        var closed = scene.State with { Menu = null };
        if (links.Imagine is not { } imagine)
        {
            return Say(closed, "What-if is not available here.");
        }

        var report = scene.Report;
        imagining = new(change, () => imagine(report, change), Run);
        return Say(closed, $"Simulating {change.Words} ...");
    }

    ViewState Play(Wish wish, ViewState state)
    {
        if (links.Playback is not { } playback)
        {
            return Say(state, "This is not a replay. space freezes the picture, f follows the newest data.");
        }

        if (wish.SeekMs is { } moment)
        {
            playback.Seek(Math.Max(0, moment));
            return Navigation.Follow(state) with { Playing = PlayText.Of(playback), Imagined = null, Freeze = null };
        }

        if (wish is { Speed: null, Action: UiAction.PlayPause } && playback.AtEnd)
        {
            playback.Paused = false;
            playback.Seek(0);
        }
        else if (wish.Speed is { } speed)
        {
            playback.Speed = speed.Max ? null : speed.Speed;
        }
        else
        {
            Turn(playback, wish.Action);
        }

        return state with { Playing = PlayText.Of(playback) };
    }

    static void Turn(IPlayback playback, UiAction action)
    {
        switch (action)
        {
            case UiAction.Slower: playback.Speed = PlayText.Slower(playback.Speed); break;
            case UiAction.Faster: playback.Speed = PlayText.Faster(playback.Speed); break;
            default: playback.Paused = !playback.Paused; break;
        }
    }

    string Again(Scene scene) => scene switch
    {
        { Timeline.Source: SessionSource.Recording } => "This recording has ended. P plays the recording again.",
        { Report.End: SessionEnd.StillOpen } => $"{scene.Timeline.Target.Name} still runs and is watched.",
        _ => links.Again is { } again
            ? again()
            : $"tpwatch cannot wait for a program that it launched. Start the program with -n {scene.Timeline.Target.Name} --wait.",
    };

    ViewState Forget(ViewState state)
    {
        if (links.Forget is not { } forget)
        {
            return Say(state, "There is no history to clear here.");
        }

        forget();
        return Say(Navigation.Follow(state) with { Selected = null, Measure = null, Imagined = null, Freeze = null },
            "The history is cleared. A recording saved with e still has it.");
    }

    ViewState Switch(Scene scene, Ask? asked)
    {
        var probe = scene.State.View == ViewName.Latency ? DeepProbe.Items : DeepProbe.Stacks;
        var probes = links.Probes();
        return probes?.Of(probe) switch
        {
            null => Say(
                scene.State, scene.Timeline.Source == SessionSource.Recording
                    ? "This is a recording: nothing more can be measured."
                    : "This session cannot measure that. The text above says what can."),
            { WhyNot: { } why } => Say(scene.State, why),
            { On: true, IsUnderWay: true, Says: { } says } => Say(scene.State, says),
            { On: true } => Say(scene.State, probes!.Turn(probe, on: false)),
            _ when asked?.Action == UiAction.Probe || (probe == DeepProbe.Stacks && scene.Report.Verdict != Verdict.Healthy) =>
                Say(scene.State, probes!.Turn(probe, on: true)),
            { Price: var price } => Confirm(scene.State, new(UiAction.Probe,
                $"Press t again to {(probe == DeepProbe.Items ? "measure items" : "take stacks")}; esc cancels. {price}")),
        };
    }

    static ViewState Confirm(ViewState state, Ask ask) => state with { Ask = ask, Flash = ask.Text };

    static ViewState Say(ViewState state, string text) => state with { Flash = text };
}
