using System.Text;
using Tpwatch.Screen.Canvas;

namespace Tpwatch.Screen.FrontEnds.Ansi;

/// <summary>Looks as escape sequences. Each starts from nothing, so that a lost one harms one run of cells only.</summary>
static class Sgr
{
    public const string Reset = "\e[0m";

    public static void Append(StringBuilder to, Style style)
    {
        to.Append("\e[0");
        AppendAttr(to, style.Attr);
        AppendColour(to, style.Fg, 30);
        AppendColour(to, style.Bg, 40);
        to.Append('m');
    }

    static void AppendAttr(StringBuilder to, Attr attr)
    {
        if (attr.HasFlag(Attr.Bold)) { to.Append(";1"); }
        if (attr.HasFlag(Attr.Faint)) { to.Append(";2"); }
        if (attr.HasFlag(Attr.Underline)) { to.Append(";4"); }
        if (attr.HasFlag(Attr.Reverse)) { to.Append(";7"); }
    }

    // 30-37 and 40-47 are the eight colours, 90-97 and 100-107 their bright ones, 38 and 48 take three numbers.
    static void AppendColour(StringBuilder to, int colour, int ground)
    {
        if (colour == Colour.Own)
        {
            return;
        }

        if (Colour.IsPalette(colour, out var index))
        {
            to.Append(';').Append(index < 8 ? ground + index : ground + 60 + index - 8);
            return;
        }

        to.Append(CultureInfo.InvariantCulture, $";{ground + 8};2;{colour >> 16 & 0xFF};{colour >> 8 & 0xFF};{colour & 0xFF}");
    }
}
