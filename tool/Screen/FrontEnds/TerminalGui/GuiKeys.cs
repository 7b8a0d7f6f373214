using System.Collections.Frozen;
using System.Text;
using Terminal.Gui.Drivers;
using Tpwatch.Screen.Keys;
using GuiKey = Terminal.Gui.Input.Key;

namespace Tpwatch.Screen.FrontEnds.TerminalGui;

/// <summary>Keys of Terminal.Gui as ours. With Ctrl it gives no rune; the code is then the upper-case letter.</summary>
static class GuiKeys
{
    static readonly FrozenDictionary<KeyCode, Key> Named = new Dictionary<KeyCode, Key>
    {
        [KeyCode.Enter] = Key.Enter, [KeyCode.Esc] = Key.Escape, [KeyCode.Tab] = Key.Tab,
        [KeyCode.Backspace] = Key.Backspace, [KeyCode.Delete] = Key.Delete,
        [KeyCode.CursorUp] = Key.Up, [KeyCode.CursorDown] = Key.Down,
        [KeyCode.CursorLeft] = Key.Left, [KeyCode.CursorRight] = Key.Right, [KeyCode.F5] = Key.F5,
        [KeyCode.Home] = Key.Home, [KeyCode.End] = Key.End, [KeyCode.PageUp] = Key.PageUp, [KeyCode.PageDown] = Key.PageDown,
    }.ToFrozenDictionary();

    public static KeyPress ToPress(GuiKey key)
    {
        var code = key.KeyCode & ~(KeyCode.ShiftMask | KeyCode.AltMask | KeyCode.CtrlMask);
        var rune = key.IsCtrl && (uint)code is >= 'A' and <= 'Z' ? new Rune((char)((uint)code - 'A' + 'a')) : key.AsRune;
        var named = Named.TryGetValue(code, out var name) ? name : Rune.IsControl(rune) ? Key.Other : Key.Char;
        return new(named, named == Key.Char ? rune : default, key.IsCtrl, key.IsAlt, key.IsShift && (named != Key.Char || key.IsCtrl));
    }
}
