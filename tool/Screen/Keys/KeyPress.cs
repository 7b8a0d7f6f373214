using System.Text;

namespace Tpwatch.Screen.Keys;

/// <summary>One key, as the terminal told it. With Ctrl the character is the lower-case letter.</summary>
readonly record struct KeyPress(Key Key, Rune Char, bool Ctrl, bool Alt, bool Shift)
{
    /// <summary>A character without modifiers; an upper-case letter needs none named, the character says it.</summary>
    public static KeyPress Of(char character) => new(Key.Char, new Rune(character), false, false, false);

    /// <summary>A key without a character.</summary>
    public static KeyPress Of(Key key) => new(key, default, false, false, false);

    public static KeyPress WithCtrl(char letter) => new(Key.Char, new Rune(letter), true, false, false);
}
