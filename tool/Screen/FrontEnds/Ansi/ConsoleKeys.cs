using System.Text;
using Tpwatch.Screen.Keys;

namespace Tpwatch.Screen.FrontEnds.Ansi;

/// <summary>Keys of .NET's console as ours.</summary>
static class ConsoleKeys
{
    public static KeyPress ToPress(ConsoleKeyInfo info)
    {
        var ctrl = info.Modifiers.HasFlag(ConsoleModifiers.Control);
        var alt = info.Modifiers.HasFlag(ConsoleModifiers.Alt);
        var shift = info.Modifiers.HasFlag(ConsoleModifiers.Shift);
        var named = Named(info.Key);
        return named != Key.Other
            ? new KeyPress(named, default, ctrl, alt, shift)
            : Character(info, ctrl) is { } rune
                ? new KeyPress(Key.Char, rune, ctrl, alt, shift && ctrl)
                : new KeyPress(Key.Other, default, ctrl, alt, shift);
    }

    // With Ctrl the character is a control character, or none; the key's name tells the letter.
    static Rune? Character(ConsoleKeyInfo info, bool ctrl)
    {
        if (ctrl && info.Key is >= ConsoleKey.A and <= ConsoleKey.Z)
        {
            return new Rune((char)('a' + (info.Key - ConsoleKey.A)));
        }

        return Rune.TryCreate(info.KeyChar, out var rune) && !Rune.IsControl(rune) ? rune : null;
    }

    static Key Named(ConsoleKey key) => key switch
    {
        ConsoleKey.Enter => Key.Enter,
        ConsoleKey.Escape => Key.Escape,
        ConsoleKey.Tab => Key.Tab,
        ConsoleKey.Backspace => Key.Backspace,
        ConsoleKey.Delete => Key.Delete,
        ConsoleKey.UpArrow => Key.Up,
        ConsoleKey.DownArrow => Key.Down,
        ConsoleKey.LeftArrow => Key.Left,
        ConsoleKey.RightArrow => Key.Right,
        ConsoleKey.Home => Key.Home,
        ConsoleKey.End => Key.End,
        ConsoleKey.PageUp => Key.PageUp,
        ConsoleKey.PageDown => Key.PageDown,
        ConsoleKey.F5 => Key.F5,
        _ => Key.Other,
    };
}
