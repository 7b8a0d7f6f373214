using Tpwatch.WhatIf;

namespace Tpwatch.Screen.Commands;

/// <summary>Runs the commands that need the watch or replay: simulate, replay, save, clear history, take stacks, measure items.</summary>
sealed class ScreenActions(ScreenCalls links)
{
    PendingWhatIf? imagining;

    /// <summary>Callback that runs long work on another thread; in tests, on the same thread.</summary>
    public Func<Action, Task> Run { get; init; } = Task.Run;

    /// <summary>Returns the next state; null if this class does not handle the command.</summary>
    /// <param name="asked">The question that was open when the key was pressed; null if there was none.</param>
    public ViewState? Next(KeyCommand wish, Scene scene, PendingConfirmation? asked)
    {
        var state = scene.State;
        return wish.Action switch
        {
            UiAction.WhatIf when wish.Change is { } change => Imagine(scene, change),
            UiAction.Export or UiAction.Save when links.Save is { } save => Say(state, save(scene.Report, wish.Save)),
            UiAction.PlayPause or UiAction.Slower or UiAction.Faster => Play(wish, state),
            UiAction.Again when links.Again is { } again => Say(state, again()),
            UiAction.Forget => asked?.Action == UiAction.Forget
                ? Forget(state)
                : Confirm(state,
                    new(UiAction.Forget, "Press x again to clear the history; any other key cancels. "
                        + "A recording saved with e still has it.")),
            UiAction.Probe => Switch(scene, asked),
            _ => null,
        };
    }

    /// <summary>Returns the state with the result of a finished simulation; null while no simulation has finished.</summary>
    public ViewState? Arrived(ViewState state, Func<ViewState, Scene?> sceneOf, int columns)
    {
        if (imagining?.Outcome is not { } outcome)
        {
            return null;
        }

        var change = imagining.Change.Words;
        imagining = null;
        state = state with { IsSimulating = false };
        return outcome.Answer is not { } answer
            ? Say(state, $"{change} cannot be simulated: {outcome.Missing}")
            : sceneOf(state with { Simulated = answer, Flash = null, View = ViewName.Overview, Detail = false }) is { } scene
                ? StandsStill(SimulatedSpan.Show(scene, columns)) : null;
    }

    // If the picture is paused, says so, because users would take it for the newest data.
    static ViewState StandsStill(ViewState state) => state.Follows ? state
        : Say(state, "The picture is paused to show the what-if. esc removes the what-if, f follows the newest data.");

    ViewState Imagine(Scene scene, WhatIfChange change)
    {
        if (links.Imagine is not { } imagine)
        {
            return scene.State;
        }

        var report = scene.Report;
        imagining = new(change, () => imagine(report, change), Run);
        return Say(scene.State with { IsSimulating = true }, $"Simulating {change.Words} ...");
    }

    ViewState Play(KeyCommand wish, ViewState state)
    {
        if (links.Playback is not { } playback)
        {
            return state;
        }

        if (wish.SeekMs is { } moment)
        {
            playback.Seek(Math.Max(0, moment));
            return Navigation.Follow(state) with { Playing = ReplaySpeeds.Of(playback), Simulated = null, Freeze = null };
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

        return state with { Playing = ReplaySpeeds.Of(playback) };
    }

    static void Turn(IPlayback playback, UiAction action)
    {
        switch (action)
        {
            case UiAction.Slower: playback.Speed = ReplaySpeeds.Slower(playback.Speed); break;
            case UiAction.Faster: playback.Speed = ReplaySpeeds.Faster(playback.Speed); break;
            default: playback.Paused = !playback.Paused; break;
        }
    }

    ViewState Forget(ViewState state)
    {
        links.Forget?.Invoke();
        return Say(Navigation.Follow(state) with { Selected = null, Measure = null, Simulated = null, Freeze = null },
            "The history is cleared. A recording saved with e still has it.");
    }

    ViewState Switch(Scene scene, PendingConfirmation? asked)
    {
        var probe = scene.State.View == ViewName.Latency ? OptionalProbe.Items : OptionalProbe.Stacks;
        var probes = links.Probes();
        return probes?.Of(probe) switch
        {
            null => scene.State,
            { On: true, IsUnderWay: true, Says: { } says } => Say(scene.State, says),
            { On: true } => Say(scene.State, probes!.Turn(probe, on: false)),
            _ when asked?.Action == UiAction.Probe || (probe == OptionalProbe.Stacks && scene.Report.Verdict != Verdict.Healthy) =>
                Say(scene.State, probes!.Turn(probe, on: true)),
            { Price: var price } => Confirm(scene.State, new(UiAction.Probe,
                $"Press t again to {(probe == OptionalProbe.Items ? "measure items" : "take stacks")}; esc cancels. {price}")),
        };
    }

    static ViewState Confirm(ViewState state, PendingConfirmation ask) => state with { Pending = ask, Flash = ask.Text };

    static ViewState Say(ViewState state, string text) => state with { Flash = text };
}

/// <summary>The speeds of a replay, and the header's text about a replay.</summary>
static class ReplaySpeeds
{
    /// <summary>Speeds as multiples of real time, up to an hour in 36 s; after the last speed comes "as fast as possible".</summary>
    static readonly ImmutableArray<double> Steps = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];

    public static double? Faster(double? speed) =>
        speed is not { } known ? null : Steps.Where(s => s > known).Select(s => (double?)s).FirstOrDefault();

    public static double? Slower(double? speed) => speed is not { } known ? Steps[^1] : Steps.LastOrDefault(s => s < known, Steps[0]);

    /// <summary>Returns the header's text about a replay; null if nothing is replayed.</summary>
    public static string? Of(IPlayback? playback) => playback switch
    {
        null => null,
        { AtEnd: true } => "REPLAY end",
        { Paused: true } => $"PAUSED {Speed(playback.Speed)}",
        _ => $"REPLAY {Speed(playback.Speed)}",
    };

    public static string Speed(double? speed) => speed is { } known ? known.ToString("0.##", CultureInfo.InvariantCulture) + "x" : "max";

    /// <summary>Parses a speed: <c>2</c>, <c>0.5x</c> or <c>max</c>; null if the text is not a speed from 0.1 to 100.</summary>
    public static (bool Max, double Speed)? Parse(string text) => text == "max" ? (true, 0)
        : double.TryParse(text.TrimEnd('x'), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var speed)
            && speed >= Steps[0] && speed <= Steps[^1]
            ? (false, speed) : null;
}
