namespace Tpwatch.Screen.Canvas;

/// <summary>Colours and attributes of a cell.</summary>
readonly record struct Style(int Fg = Colour.Own, int Bg = Colour.Own, Attr Attr = Attr.None)
{
    /// <summary>The terminal's own look.</summary>
    public static Style Plain { get; } = new(Colour.Own);
}
