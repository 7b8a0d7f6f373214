using Terminal.Gui.Input;
using Tpwatch.Text;

namespace Tpwatch.Screen.Commands;

/// <summary>Says why a command is not possible now, as the answer to a key and as a text in the command palette.</summary>
static class CommandAvailability
{
    const string NoStacks = "There are no stacks yet. t takes them.";
    const string NoItems = "Single items are not measured yet. t measures them.";
    const string NoEvents = "There are no events to save here.";

    /// <summary>Returns why a command is not possible now, one sentence; null if the command is possible.</summary>
    public static string? Refusal(KeyCommand wish, Scene scene, ScreenCalls links) =>
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

    static string? Again(Scene scene, ScreenCalls links) => scene switch
    {
        { Timeline.Source: SessionSource.Recording } => "This recording has ended. P plays the recording again.",
        { Report.End: SessionEnd.StillOpen } => $"{scene.Timeline.Target.Name} still runs and is watched.",
        _ => links.Again is not null ? null
            : $"tpwatch cannot wait for a program that it launched. Start the program with -n {scene.Timeline.Target.Name} --wait.",
    };

    static string? Probe(Scene scene, ScreenCalls links)
    {
        var probe = scene.State.View == ViewName.Latency ? OptionalProbe.Items : OptionalProbe.Stacks;
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

/// <summary>Says why a key changed nothing, so that every key has a visible effect.</summary>
static class KeyMessages
{
    /// <summary>
    /// Returns the state after a key that answers an open question. The question whether to measure stays open if the user switches to a
    /// view where the key <c>t</c> starts the same measurement. Any other key except the confirming key cancels.
    /// </summary>
    public static ViewState AfterAsking(ViewState before, KeyCommand? wish, ViewState state) =>
        before.Pending is not { } asked || wish?.Action == asked.Action ? state
        : asked.Action == UiAction.Probe && IsView(wish?.Action) && IsOfItems(before) == IsOfItems(state)
            ? state with { Pending = asked, Flash = asked.Text }
        : state.Flash is null ? state with { Flash = "Cancelled." } : state;

    /// <summary>Returns why a command changed nothing, one sentence.</summary>
    public static string Of(UiAction action, Scene scene) => action switch
    {
        UiAction.RowUp or UiAction.PageUp or UiAction.First or UiAction.Oldest => "This is the beginning.",
        UiAction.RowDown or UiAction.PageDown or UiAction.Last or UiAction.Newest => "This is the end.",
        UiAction.PanBack => "Nothing older is kept.",
        UiAction.PanForward or UiAction.Follow => "This is the newest.",
        UiAction.PreviousEvent or UiAction.NextEvent => Stopped(scene, "mark"),
        UiAction.PreviousInjection or UiAction.NextInjection => Stopped(scene, "added thread"),
        UiAction.ZoomIn or UiAction.ZoomOut => "The zoom ends here.",
        UiAction.ZoomDefault => "This is the default zoom already.",
        UiAction.Peel => "There is nothing to close. q quits.",
        _ when IsView(action) => "This view is shown already.",
        _ => "This key changes nothing here.",
    };

    /// <summary>Returns a sentence for a key that has no action on the shown view: it names the views on which the key works.</summary>
    public static string Unbound(Key key)
    {
        var elsewhere = Enum.GetValues<ViewName>().Where(v => Bindings.Of(key, v) is not null)
            .Select(v => FormattableString.Invariant($"{(int)v + 1} {v}")).ToList();
        return elsewhere.Count > 0
            ? $"{Bindings.NameOf(key)} works in {string.Join(", ", elsewhere)}."
            : $"{Bindings.NameOf(key)} does nothing. ? lists the keys.";
    }

    static bool IsView(UiAction? action) => action is >= UiAction.ShowOverview and <= UiAction.ShowFindings;

    static bool IsOfItems(ViewState state) => state.View == ViewName.Latency;

    static string Stopped(Scene scene, string what) =>
        $"{(scene.State.Selected is null ? "This is the only" : "There is no further")} {what}.";
}
