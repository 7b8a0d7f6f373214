using System.Text;
using Tpwatch.Screen.Canvas;

namespace Tpwatch.Screen.FrontEnds.Ansi;

/// <summary>
/// Turns what is shown into what shall be shown, as one string of escape sequences between the marks of a synchronised update
/// (DEC 2026), so that terminals that know it show no half frame. Empty when nothing differs.
/// </summary>
static class FrameDiff
{
    const string Begin = "\e[?2026h";
    const string End = "\e[?2026l";

    /// <summary>A jump of the cursor costs about this many characters; shorter stretches of equal cells are written again.</summary>
    const int CheaperThanJump = 6;

    /// <param name="before">What is shown; null when that is unknown, then the screen is cleared first.</param>
    /// <param name="after">What shall be shown.</param>
    public static string Between(CellGrid? before, CellGrid after)
    {
        var text = new StringBuilder(Begin);
        if (before is null || before.Width != after.Width || before.Height != after.Height)
        {
            text.Append(Sgr.Reset).Append("\e[2J");
            before = new CellGrid(after.Width, after.Height);
        }
        else if (before.SameAs(after))
        {
            return "";
        }

        var style = Style.Plain;
        for (var y = 0; y < after.Height; y++)
        {
            AppendRow(text, before, after, y, ref style);
        }

        return text.Append(style == Style.Plain ? "" : Sgr.Reset).Append(End).ToString();
    }

    static void AppendRow(StringBuilder text, CellGrid before, CellGrid after, int y, ref Style style)
    {
        for (var x = 0; x < after.Width; x++)
        {
            if (before[x, y] == after[x, y])
            {
                continue;
            }

            text.Append(CultureInfo.InvariantCulture, $"\e[{y + 1};{x + 1}H");
            for (var end = RunEnd(before, after, x, y); x < end; x++)
            {
                AppendCell(text, after[x, y], ref style);
            }
        }
    }

    static void AppendCell(StringBuilder text, Cell cell, ref Style style)
    {
        if (cell.Style != style)
        {
            style = cell.Style;
            Sgr.Append(text, style);
        }

        text.Append(cell.Rune);
    }

    static int RunEnd(CellGrid before, CellGrid after, int x, int y)
    {
        var end = x + 1;
        for (var probe = end; probe < after.Width && probe - end < CheaperThanJump; probe++)
        {
            if (before[probe, y] != after[probe, y])
            {
                end = probe + 1;
            }
        }

        return end;
    }
}
