using System.Globalization;
using System.Text;
using Tpwatch.Reports;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Benchmarks.Pictures;

/// <summary>
/// The real screen for pictures: what it knows and the keys come from a script, frames and what a terminal would get go out.
/// </summary>
sealed class DrivenScreen : IDisposable
{
    /// <summary>The size of the pictures: the smallest at which everything is shown.</summary>
    public const int Width = 100;

    public const int Height = 30;

    readonly HeadlessScreen screen;
    PoolReport? report;
    CellGrid sent = new(Width, Height);

    /// <param name="links">What may be asked for; nothing by default.</param>
    public DrivenScreen(ScreenCalls? links = null) => screen = HeadlessScreen.Of(
        () => report, () => null, links ?? new(), new Look(Theme.Dark, GlyphSet.Braille), Width, Height);

    /// <summary>What is shown.</summary>
    public CellGrid Shown => screen.Shown;

    /// <summary>What is known from now on; what the terminal gets for it.</summary>
    public string Know(PoolReport next)
    {
        report = next;
        screen.Tick();
        return Changes();
    }

    /// <summary>Presses a key; what the terminal gets for it.</summary>
    public string Press(string key)
    {
        screen.Press(key);
        return Changes();
    }

    public void Dispose() => screen.Dispose();

    // The rows that differ, whole: enough for a recording of the terminal.
    string Changes()
    {
        var text = new StringBuilder();
        for (var y = 0; y < Height; y++)
        {
            var row = y;
            if (Enumerable.Range(0, Width).All(x => sent[x, row] == Shown[x, row]))
            {
                continue;
            }

            text.Append(CultureInfo.InvariantCulture, $"\e[{y + 1};1H");
            for (var x = 0; x < Width; x++)
            {
                if (x == 0 || Shown[x, y].Style != Shown[x - 1, y].Style)
                {
                    Append(text, Shown[x, y].Style);
                }

                text.Append(Shown[x, y].Rune);
            }
        }

        sent = Shown;
        return text.Length == 0 ? "" : text.Append("\e[0m").ToString();
    }

    static void Append(StringBuilder to, Style style)
    {
        to.Append("\e[0");
        (Attr Attr, string Code)[] codes = [(Attr.Bold, ";1"), (Attr.Faint, ";2"), (Attr.Underline, ";4"), (Attr.Reverse, ";7")];
        foreach (var (attr, code) in codes)
        {
            to.Append(style.Attr.HasFlag(attr) ? code : "");
        }

        foreach (var (colour, ground) in new[] { (style.Fg, 38), (style.Bg, 48) })
        {
            if (colour != Colour.Own)
            {
                to.Append(CultureInfo.InvariantCulture, $";{ground};2;{colour >> 16 & 0xFF};{colour >> 8 & 0xFF};{colour & 0xFF}");
            }
        }

        to.Append('m');
    }
}
