namespace Tpwatch.Screen.State;

/// <summary>Colours as one number each: the terminal's default colour, one of the terminal's sixteen colours, or 24-bit RGB.</summary>
static class Colour
{
    /// <summary>The terminal's default colour.</summary>
    public const int Own = -1;

    const int PaletteFlag = 1 << 24;

    static readonly ImmutableArray<int> Xterm =
    [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ];

    /// <summary>One of the terminal's sixteen colours, 0 to 15.</summary>
    public static int Palette(int index) => PaletteFlag | index;

    /// <summary>Whether a colour is one of the terminal's sixteen.</summary>
    public static bool IsPalette(int colour, out int index)
    {
        index = colour & 0xF;
        return colour >= PaletteFlag;
    }

    /// <summary>
    /// Returns the 24-bit colour that xterm shows for one of the sixteen; for output without a palette, such as a picture.
    /// </summary>
    public static int OfXterm(int index) => Xterm[index];
}
