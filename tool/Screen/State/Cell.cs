using System.Text;

namespace Tpwatch.Screen.State;

/// <summary>One cell of the screen: a rune that is one column wide, with its colours and attributes.</summary>
readonly record struct Cell(Rune Rune, int Fg = Colour.Own, int Bg = Colour.Own, Attr Attr = Attr.None)
{
    /// <summary>A blank in the terminal's own colours.</summary>
    public static Cell Blank { get; } = new(new Rune(' '));

    /// <summary>Colours and attributes of the cell.</summary>
    public Style Style => new(Fg, Bg, Attr);
}
