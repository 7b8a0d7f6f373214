using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Keys;

namespace Tpwatch.Screen.Picker;

/// <summary>What a key asks for that the state alone cannot do.</summary>
enum PickerAction
{
    None,
    Attach,
    Scan,
    Quit,
}

/// <summary>
/// What each key makes of what was typed before; pure. A letter filters, except that <c>q</c> quits while there is no filter.
/// </summary>
static class PickerKeys
{
    /// <summary>The keys as the foot of the screen names them, those that do something now.</summary>
    public static IEnumerable<(string Show, string Does)> Shown(PickerState state) =>
    [
        ("type", "to filter"), ("up/dn", "row"), ("enter", "attach"), ("F5", "scan again"),
        .. state is { Typing: false, Filter: "" } ? [("q", "quit")] : ((string, string)[])[("esc", "no filter"), ("ctrl+c", "quit")],
    ];

    /// <summary>Rows that a page key goes.</summary>
    const int Page = 10;

    /// <summary>Longer than any name; what is pasted by mistake is cut off here.</summary>
    const int LongestFilter = 60;

    public static (PickerState State, PickerAction Action) Next(PickerState before, KeyPress key)
    {
        var state = before with { Flash = null };
        return key switch
        {
            { Ctrl: true, Char.Value: 'c' or 'd' } => (state, PickerAction.Quit),
            { Ctrl: true } or { Alt: true } => (state, PickerAction.None),
            { Key: Key.Char, Char.Value: 'q' } when state is { Typing: false, Filter: "" } => (state, PickerAction.Quit),
            { Key: Key.F5 } => (state, PickerAction.Scan),
            { Key: Key.Enter } => Enter(state),
            _ => (Typed(state, key), PickerAction.None),
        };
    }

    static PickerState Typed(PickerState state, KeyPress key) => key.Key switch
    {
        Key.Up => Move(state, -1),
        Key.Down or Key.Tab => Move(state, 1),
        Key.PageUp => Move(state, -Page),
        Key.PageDown => Move(state, Page),
        Key.Home => Move(state, -state.Shown.Length),
        Key.End => Move(state, state.Shown.Length),
        Key.Escape => state with { Filter = "", Typing = false },
        Key.Backspace when state.Filter.Length == 0 => state with { Typing = false },
        Key.Backspace => state with { Filter = state.Filter[..^1] },
        Key.Char when key.Char.Value == '/' && state is { Typing: false, Filter: "" } => state with { Typing = true },
        Key.Char when state.Filter.Length < LongestFilter && key.Char.Value is > ' ' or ' '
            && Runes.IsNarrow(key.Char.Value) && !(key.Char.Value == ' ' && state.Filter.Length == 0)
            => state with { Filter = state.Filter + key.Char },
        _ => state,
    };

    static PickerState Move(PickerState state, int rows)
    {
        var shown = state.Shown;
        return shown.IsEmpty
            ? state
            : state with { Pid = shown[Math.Clamp(PickerState.CursorIn(shown, state.Pid) + rows, 0, shown.Length - 1)].Pid };
    }

    static (PickerState State, PickerAction Action) Enter(PickerState state)
    {
        var shown = state.Shown;
        if (PickerState.CursorIn(shown, state.Pid) is not (>= 0 and var cursor))
        {
            return (state, PickerAction.None);
        }

        var row = shown[cursor];
        return row.WhyNot is null
            ? (state with { Pid = row.Pid }, PickerAction.Attach)
            : (state with { Pid = row.Pid, Flash = FormattableString.Invariant($"tpwatch cannot watch {row.Pid}. The reason is above.") },
                PickerAction.None);
    }
}
