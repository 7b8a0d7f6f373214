namespace Tpwatch.Render.Tui;

/// <summary>A colour as one number: the terminal's own, one of its sixteen, or 24 bits.</summary>
internal static class Colour
{
    /// <summary>Whatever the terminal uses.</summary>
    public const int Own = -1;

    const int PaletteFlag = 1 << 24;

    /// <summary>One of the terminal's sixteen colours, 0 to 15.</summary>
    public static int Palette(int index) => PaletteFlag | index;

    /// <summary>Whether it is one of the sixteen.</summary>
    public static bool IsPalette(int colour, out int index)
    {
        index = colour & 0xF;
        return colour >= PaletteFlag;
    }
}
