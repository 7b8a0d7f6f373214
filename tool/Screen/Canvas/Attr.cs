namespace Tpwatch.Screen.Canvas;

/// <summary>How a cell is set off, apart from its colour.</summary>
[Flags]
enum Attr : byte
{
    None = 0,
    Bold = 1,
    Faint = 2,
    Underline = 4,
    Reverse = 8,
}
