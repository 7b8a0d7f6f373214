using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Keys;

/// <summary>What keys do while a change is chosen: rows, a digit for a row, enter; a colon types another one, escape leaves.</summary>
static class MenuKeys
{
    public static (ViewState State, Wish? Wish) Next(ViewState state, Menu menu, KeyPress key)
    {
        var digit = key is { Key: Key.Char, Ctrl: false, Alt: false } && key.Char.Value is >= '1' and <= '9' ? key.Char.Value - '0' : 0;
        return (Bindings.Of(key, ViewName.Injections), digit) switch
        {
            (UiAction.Quit, _) => (state, new(UiAction.Quit)),
            (UiAction.Redraw, _) => (state, new(UiAction.Redraw)),
            (UiAction.Peel or UiAction.WhatIf, _) => (state with { Menu = null }, null),
            (UiAction.RowUp, _) => (state with { Menu = menu.Moved(-1) }, null),
            (UiAction.RowDown, _) => (state with { Menu = menu.Moved(1) }, null),
            (UiAction.Command, _) => (state with { Menu = null, Prompt = new(':', "whatif ") }, null),
            (UiAction.Enter, _) => (state, new(UiAction.WhatIf) { Change = menu.Items[menu.Cursor].Change }),
            (_, > 0) when menu.Numbered(digit) is { } item => (state, new(UiAction.WhatIf) { Change = item.Change }),
            _ => (state, null),
        };
    }
}
