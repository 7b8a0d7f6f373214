using System.Text;

namespace Tpwatch.Screen.State;

/// <summary>
/// Replaces runes that do not take exactly one column, because names and command lines come from other programs. A wide or combining rune
/// would shift the rest of its row, and a control character could change the state of the terminal.
/// </summary>
static class Runes
{
    static readonly Rune Unprintable = new('?');

    /// <summary>Returns the rune itself if the rune is known to be one column wide, else a question mark.</summary>
    public static Rune Narrow(Rune rune) => IsNarrow(rune.Value) ? rune : Unprintable;

    /// <summary>Returns the nearest ASCII character; a question mark where there is none.</summary>
    public static Rune Ascii(Rune rune) => rune.IsAscii ? Narrow(rune) : new Rune(Nearest(rune.Value));

    /// <summary>Whether a rune takes one column in every terminal that is set to a Western or UTF-8 locale.</summary>
    public static bool IsNarrow(int value) => value switch
    {
        < 0x20 or 0x7F => false,
        < 0x7F => true,
        >= 0xA0 and <= 0x24F => value != 0xAD,
        >= 0x391 and <= 0x3C9 => value != 0x3A2,
        >= 0x400 and <= 0x45F => true,
        >= 0x2010 and <= 0x2015 or >= 0x2018 and <= 0x2022 or 0x2026 => true,
        >= 0x2190 and <= 0x2193 or 0x2248 or 0x2260 or 0x2264 or 0x2265 => true,
        >= 0x2500 and <= 0x259F => true,
        >= 0x2800 and <= 0x28FF => true,
        _ => false,
    };

    static char Nearest(int value) => (char)value switch
    {
        '×' => 'x',
        'µ' or 'μ' => 'u',
        '–' or '—' or '─' => '-',
        '·' or '…' => '.',
        '‘' or '’' => '\'',
        '“' or '”' => '"',
        '→' or '≥' => '>',
        '←' or '≤' => '<',
        '│' or '┊' => '|',
        '\u00A0' => ' ',
        _ => '?',
    };
}
