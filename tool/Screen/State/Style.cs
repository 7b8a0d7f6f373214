namespace Tpwatch.Screen.State;

/// <summary>Text attributes of a cell, apart from its colours.</summary>
[Flags]
enum Attr : byte
{
    None = 0,
    Bold = 1,
    Faint = 2,
    Underline = 4,
    Reverse = 8,
}

/// <summary>Colours and attributes of a cell.</summary>
readonly record struct Style(int Fg = Colour.Own, int Bg = Colour.Own, Attr Attr = Attr.None)
{
    /// <summary>The terminal's default colours, without attributes.</summary>
    public static Style Plain { get; } = new(Colour.Own);
}
