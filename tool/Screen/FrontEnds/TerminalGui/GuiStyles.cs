using Terminal.Gui.Drawing;
using Tpwatch.Screen.Canvas;
using GuiAttribute = Terminal.Gui.Drawing.Attribute;

namespace Tpwatch.Screen.FrontEnds.TerminalGui;

/// <summary>Looks of ours as Terminal.Gui's.</summary>
static class GuiStyles
{
    public static GuiAttribute Of(Style style) => new(Ink(style.Fg), Ink(style.Bg), Look(style.Attr));

    static Color Ink(int colour) =>
        colour == Colour.Own ? Color.None : Rgb(Colour.IsPalette(colour, out var index) ? Colour.OfXterm(index) : colour);

    static Color Rgb(int value) => new(value >> 16 & 0xFF, value >> 8 & 0xFF, value & 0xFF);

    static TextStyle Look(Attr attr) =>
        (attr.HasFlag(Attr.Bold) ? TextStyle.Bold : 0) | (attr.HasFlag(Attr.Faint) ? TextStyle.Faint : 0)
        | (attr.HasFlag(Attr.Underline) ? TextStyle.Underline : 0) | (attr.HasFlag(Attr.Reverse) ? TextStyle.Reverse : 0);
}
