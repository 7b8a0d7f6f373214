using Terminal.Gui.Input;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Commands;

/// <summary>Texts for keys that changed nothing, so that every key has an effect or gives the reason for having none.</summary>
static class KeyMessages
{
    /// <summary>
    /// Returns the state after a key pressed during a question. A question about a probe stays if the user switches to a view on which the
    /// key <c>t</c> switches that probe, too. Any other key cancels the question, with a message.
    /// </summary>
    public static ViewState AfterAsking(ViewState before, KeyCommand? wish, ViewState state) =>
        before.Ask is not { } asked || wish?.Action == asked.Action ? state
        : asked.Action == UiAction.Probe && IsView(wish?.Action) && IsOfItems(before) == IsOfItems(state)
            ? state with { Ask = asked, Flash = asked.Text }
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

    /// <summary>Returns a sentence with the views on which a key works that has no action on the shown view.</summary>
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
