using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Commands;

/// <summary>Says which commands are not possible now, and why, as the answer to a key and as a text in the palette.</summary>
static class Availability
{
    const string NoStacks = "There are no stacks yet. t takes them.";
    const string NoItems = "Single items are not measured yet. t measures them.";
    const string NoEvents = "There are no events to save here.";

    /// <summary>Returns why a command is not possible now, one sentence; null if the command is possible.</summary>
    public static string? Refusal(KeyCommand wish, Scene scene, ScreenLinks links) =>
        !Bindings.WhereOf(wish.Action).Has(scene.State.View) && !HasWords(wish) ? Elsewhere(wish.Action) : wish.Action switch
        {
            UiAction.WhatIf when links.Imagine is null => "What-if is not available here.",
            UiAction.Export or UiAction.Save when links.Save is null => NoEvents,
            UiAction.PlayPause or UiAction.Slower or UiAction.Faster when links.Playback is null =>
                "This is not a replay. space freezes the picture, f follows the newest data.",
            UiAction.Again => Again(scene, links),
            UiAction.Forget when links.Forget is null => "There is no history to clear here.",
            UiAction.Probe => Probe(scene, links),
            UiAction.WaitOrRun or UiAction.Percentiles when scene.Report is { QueueDelay: null, RunTime: null } => NoItems,
            UiAction.Frames when !HasStacks(scene) => NoStacks,
            UiAction.Sort when scene.State.View == ViewName.Stacks && !HasStacks(scene) => NoStacks,
            UiAction.FitStarved when scene.Report.Episodes.IsEmpty => "There is no starved time to show.",
            UiAction.PreviousEvent or UiAction.NextEvent when scene.Marks.IsEmpty => "There is no mark yet.",
            UiAction.PreviousInjection or UiAction.NextInjection when !scene.Marks.Any(DelayMark.IsInjection) =>
                "There is no added thread yet.",
            _ => null,
        };

    static bool HasWords(KeyCommand wish) => wish is { Change: not null } or { SeekMs: not null } or { Speed: not null };

    static bool HasStacks(Scene scene) => scene.Report.Blockers is { IsDefaultOrEmpty: false };

    static string Elsewhere(UiAction action)
    {
        var views = Enum.GetValues<ViewName>().Where(v => Bindings.WhereOf(action).Has(v))
            .Select(v => FormattableString.Invariant($"{(int)v + 1} {v}"));
        return $"{Bindings.KeysOf(action)} works in {string.Join(", ", views)}.";
    }

    static string? Again(Scene scene, ScreenLinks links) => scene switch
    {
        { Timeline.Source: SessionSource.Recording } => "This recording has ended. P plays the recording again.",
        { Report.End: SessionEnd.StillOpen } => $"{scene.Timeline.Target.Name} still runs and is watched.",
        _ => links.Again is not null ? null
            : $"tpwatch cannot wait for a program that it launched. Start the program with -n {scene.Timeline.Target.Name} --wait.",
    };

    static string? Probe(Scene scene, ScreenLinks links)
    {
        var probe = scene.State.View == ViewName.Latency ? DeepProbe.Items : DeepProbe.Stacks;
        return links.Probes()?.Of(probe) switch
        {
            null => scene.Timeline.Source == SessionSource.Recording
                ? "This is a recording: nothing more can be measured."
                : "This session cannot measure that. The text above says what can.",
            { WhyNot: { } why } => why,
            _ => null,
        };
    }
}
