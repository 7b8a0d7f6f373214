using Tpwatch.Render.Shared;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Keys;

/// <summary>Why a key changed nothing: every key does something or says why not.</summary>
static class KeySayings
{
    /// <summary>
    /// A question about a probe stays while somebody looks at another view that means the same probe; with any other key a question is
    /// over, and that is said.
    /// </summary>
    public static ViewState AfterAsking(ViewState before, Wish? wish, ViewState state) =>
        before.Ask is not { } asked || wish?.Action == asked.Action ? state
        : asked.Action == UiAction.Probe && IsView(wish?.Action) && IsOfItems(before) == IsOfItems(state)
            ? state with { Ask = asked, Flash = asked.Text }
        : state.Flash is null ? state with { Flash = "Cancelled." } : state;

    /// <summary>One sentence.</summary>
    /// <param name="key">What was pressed.</param>
    /// <param name="action">What it does on the view; null where it does nothing there.</param>
    /// <param name="scene">What is shown.</param>
    public static string Of(KeyPress key, UiAction? action, Scene scene) => action switch
    {
        _ when scene.State.IsCovered && !IsOfText(action) => "Press esc to close this text first.",
        null => Unbound(key),
        UiAction.PageUp or UiAction.RowUp or UiAction.First or UiAction.Oldest => "This is the beginning.",
        UiAction.PageDown or UiAction.RowDown or UiAction.Last or UiAction.Newest => "This is the end.",
        UiAction.PanBack => "Nothing older is kept.",
        UiAction.PanForward or UiAction.Follow => "This is the newest.",
        UiAction.PreviousEvent or UiAction.NextEvent => Stopped(scene, "mark", scene.Marks.Length),
        UiAction.PreviousInjection or UiAction.NextInjection => Stopped(scene, "added thread", scene.Marks.Count(GapMark.IsInjection)),
        UiAction.ZoomIn or UiAction.ZoomOut => "The zoom ends here.",
        UiAction.ZoomDefault => "This is the default zoom already.",
        UiAction.Peel => "There is nothing to close. q quits.",
        _ when IsView(action) => "This view is shown already.",
        _ => "This key changes nothing here.",
    };

    static bool IsView(UiAction? action) => action is >= UiAction.ShowOverview and <= UiAction.ShowFindings;

    static bool IsOfItems(ViewState state) => state.View == ViewName.Latency;

    static bool IsOfText(UiAction? action) => action is UiAction.PageUp or UiAction.PageDown or UiAction.RowUp or UiAction.RowDown
        or UiAction.First or UiAction.Last;

    static string Stopped(Scene scene, string what, int count) => count == 0 ? $"There is no {what} yet."
        : $"{(scene.State.Selected is null ? "This is the only" : "There is no further")} {what}.";

    static string Unbound(KeyPress key)
    {
        var elsewhere = Enum.GetValues<ViewName>().Where(v => Bindings.Of(key, v) is not null)
            .Select(v => FormattableString.Invariant($"{(int)v + 1} {v}")).ToList();
        return elsewhere.Count > 0
            ? $"{Name(key)} works in {string.Join(", ", elsewhere)}."
            : $"{Name(key)} does nothing. ? lists the keys.";
    }

    static string Name(KeyPress key) => key switch
    {
        { Key: Key.Char, Ctrl: true } => $"ctrl+{key.Char}",
        { Key: Key.Char, Alt: true } => $"alt+{key.Char}",
        { Key: Key.Char } => key.Char.ToString(),
        { Key: Key.Other } => "That key",
        _ => key.Key.ToString().ToLowerInvariant(),
    };
}
