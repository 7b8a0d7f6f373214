using System.Text;

namespace Tpwatch.Screen.State;

/// <summary>One column of one row: a rune that is one column wide, and its look.</summary>
readonly record struct Cell(Rune Rune, int Fg = Colour.Own, int Bg = Colour.Own, Attr Attr = Attr.None)
{
    /// <summary>Nothing, in the terminal's own look.</summary>
    public static Cell Blank { get; } = new(new Rune(' '));

    /// <summary>Colours and attributes.</summary>
    public Style Style => new(Fg, Bg, Attr);
}
