using System.Collections.Immutable;

namespace Tpwatch.Render.Tui;

/// <summary>Some keys that belong together, as hint line and help name them.</summary>
/// <param name="Show">The keys, for reading.</param>
/// <param name="Hint">A word for the hint line.</param>
/// <param name="Help">A line for the help.</param>
/// <param name="Keep">The larger stays longer when the hint line gets narrow; 0 is in the help alone.</param>
/// <param name="Keys">What each key does.</param>
internal sealed record Binding(string Show, string Hint, string Help, int Keep, ImmutableArray<(KeyPress Key, UiAction Action)> Keys);

/// <summary>All keys. The dispatch, the hint line and the help are made from this one table.</summary>
internal static class Bindings
{
    public static ImmutableArray<Binding> All { get; } =
    [
        new("space", "freeze", "freeze; the capture goes on", 6, [(Char(' '), UiAction.Freeze)]),
        new("f", "follow", "follow the newest data", 5, [(Char('f'), UiAction.Follow)]),
        new("<-/->", "event", "previous, next event of any kind", 7,
            [(KeyPress.Of(Key.Left), UiAction.PreviousEvent), (KeyPress.Of(Key.Right), UiAction.NextEvent)]),
        new("[ ]", "inject", "previous, next injection", 4, [(Char('['), UiAction.PreviousInjection), (Char(']'), UiAction.NextInjection)]),
        new("+/-", "zoom", "zoom in, out; = is the default", 8,
            [(Char('+'), UiAction.ZoomIn), (Char('-'), UiAction.ZoomOut), (Char('='), UiAction.ZoomDefault)]),
        new("h/l", "pan", "half a page back, forward", 3, [(Char('h'), UiAction.PanBack), (Char('l'), UiAction.PanForward)]),
        new("g G", "ends", "the oldest, the newest data", 2, [(Char('g'), UiAction.Oldest), (Char('G'), UiAction.Newest)]),
        new("esc", "", "one step back; never quits", 0, [(KeyPress.Of(Key.Escape), UiAction.Peel)]),
        new("F5", "", "draw everything anew", 0, [(KeyPress.Of(Key.F5), UiAction.Redraw)]),
        new("?", "help", "this help", 9, [(Char('?'), UiAction.Help)]),
        new("q", "quit", "quit (also ctrl+c, ctrl+d)", 10,
            [(Char('q'), UiAction.Quit), (KeyPress.WithCtrl('c'), UiAction.Quit), (KeyPress.WithCtrl('d'), UiAction.Quit)]),
    ];

    static ImmutableDictionary<KeyPress, UiAction> ByKey { get; } = All.SelectMany(b => b.Keys).ToImmutableDictionary(k => k.Key, k => k.Action);

    /// <summary>What a key does, or null.</summary>
    public static UiAction? Of(KeyPress key) => ByKey.TryGetValue(key, out var action) ? action : null;

    static KeyPress Char(char character) => KeyPress.Of(character);
}
