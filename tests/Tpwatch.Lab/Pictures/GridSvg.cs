using System.Globalization;
using System.Security;
using System.Text;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Lab.Pictures;

/// <summary>
/// A grid as an SVG picture: the same cells that a terminal gets, so that a picture cannot show what the program does not.
/// </summary>
static class GridSvg
{
    const double CellWidth = 8;
    const double CellHeight = 17;
    const double Margin = 10;

    /// <summary>From the top of a cell to the foot of its letters.</summary>
    const double Baseline = 13;

    const double FaintOpacity = 0.6;

    /// <summary>The terminal's own colours, dark as most terminals are.</summary>
    const int Paper = 0x1E1E1E;
    const int Ink = 0xD4D4D4;

    /// <summary>The sixteen colours of xterm: a picture has no palette.</summary>
    static readonly int[] Xterm =
    [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ];

    /// <summary>The picture; <paramref name="title"/> is for those who cannot see it.</summary>
    public static string Of(CellGrid grid, string title)
    {
        var (width, height) = (grid.Width * CellWidth + 2 * Margin, grid.Height * CellHeight + 2 * Margin);
        var svg = new StringBuilder();
        svg.Append(CultureInfo.InvariantCulture,
            $"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:0} {height:0}\" width=\"{width:0}\" role=\"img\">\n");
        svg.Append(CultureInfo.InvariantCulture,
            $"<title>{SecurityElement.Escape(title)}</title>\n<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{Hex(Paper)}\"/>\n");
        svg.Append("<g font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace\" "
            + "font-size=\"13\" xml:space=\"preserve\">\n");
        for (var y = 0; y < grid.Height; y++)
            AppendRow(svg, grid, y);
        return svg.Append("</g>\n</svg>\n").ToString();
    }

    static void AppendRow(StringBuilder svg, CellGrid grid, int y)
    {
        for (int x = 0, end; x < grid.Width; x = end)
        {
            end = x + 1;
            while (end < grid.Width && grid[end, y].Style == grid[x, y].Style)
                end++;
            AppendRun(svg, grid, y, x, end);
        }
    }

    static void AppendRun(StringBuilder svg, CellGrid grid, int y, int from, int to)
    {
        var style = grid[from, y].Style;
        var (ink, paper) = (Rgb(style.Fg, Ink), Rgb(style.Bg, Paper));
        if (style.Attr.HasFlag(CellAttributes.Reverse))
            (ink, paper) = (paper, ink);
        AppendPaper(svg, Box(from, y, to - from), paper);
        var shapes = new StringBuilder();
        for (int x = from, end; x < to; x = end)
        {
            end = x + 1;
            var cell = Box(x, y, 1);
            if (grid[x, y].Rune.Value == ' ' || GlyphShape.Append(shapes, grid[x, y].Rune, cell))
                continue;
            var word = new StringBuilder(grid[x, y].Rune.ToString());
            for (; end < to && IsText(grid[end, y].Rune); end++)
                word.Append(grid[end, y].Rune);
            AppendText(svg, cell, word.ToString(), style.Attr, ink);
        }

        if (shapes.Length > 0)
        {
            svg.Append(CultureInfo.InvariantCulture,
                $"<path shape-rendering=\"crispEdges\"{Opacity(style.Attr)} fill=\"{Hex(ink)}\" d=\"{shapes}\"/>\n");
        }
    }

    static void AppendPaper(StringBuilder svg, CellBox box, int paper)
    {
        if (paper != Paper)
        {
            svg.Append(
                CultureInfo.InvariantCulture, $"<rect x=\"{box.X:0.##}\" y=\"{box.Y:0.##}\" width=\"{box.Width:0.##}\" "
                    + $"height=\"{box.Height}\" fill=\"{Hex(paper)}\"/>\n");
        }
    }

    // The length is said, so that columns stand whatever font there is.
    static void AppendText(StringBuilder svg, CellBox first, string text, CellAttributes attr, int ink)
    {
        var weight = attr.HasFlag(CellAttributes.Bold) ? " font-weight=\"bold\"" : "";
        var under = attr.HasFlag(CellAttributes.Underline) ? " text-decoration=\"underline\"" : "";
        svg.Append(CultureInfo.InvariantCulture,
            $"<text x=\"{first.X:0.##}\" y=\"{first.Y + Baseline:0.##}\" textLength=\"{text.Length * CellWidth:0.##}\" lengthAdjust="
                + $"\"spacingAndGlyphs\"{weight}{under}{Opacity(attr)} fill=\"{Hex(ink)}\">{SecurityElement.Escape(text)}</text>\n");
    }

    static CellBox Box(int x, int y, int columns) => new(Margin + x * CellWidth, Margin + y * CellHeight, columns * CellWidth, CellHeight);

    // A word ends at a blank or a shape: a font that is wider or narrower then never shifts what stands far to the right.
    static bool IsText(Rune rune) => rune.Value != ' ' && !GlyphShape.Append(new StringBuilder(), rune, default);

    static string Opacity(CellAttributes attr) => attr.HasFlag(CellAttributes.Faint) ? $" opacity=\"{FaintOpacity}\"" : "";

    static int Rgb(int colour, int own) =>
        colour == Colour.Own ? own : Colour.IsPalette(colour, out var index) ? Xterm[index] : colour;

    static string Hex(int colour) => $"#{colour:X6}";
}

/// <summary>
/// Blocks, lines and dots as outlines on a cell: fonts differ in them, and in a picture they must meet at the edges of their cells.
/// </summary>
static class GlyphShape
{
    /// <summary>Dots of a braille rune in the order of its bits: column and row.</summary>
    static readonly (int X, int Y)[] Dots = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];

    const double Line = 1.2;
    const double Dot = 2.4;

    /// <summary>Adds the outline of a rune at a cell; false for one that is text.</summary>
    public static bool Append(StringBuilder path, Rune rune, CellBox cell)
    {
        switch (rune.Value)
        {
            case >= 0x2800 and <= 0x28FF:
                Braille(path, rune.Value - 0x2800, cell);
                return true;
            case >= 0x2581 and <= 0x2588:
                var height = cell.Height * (rune.Value - 0x2580) / 8;
                Box(path, cell.X, cell.Y + cell.Height - height, cell.Width, height);
                return true;
            case 0x2592:
                Shade(path, cell);
                return true;
            case 0x250A:
                Dashes(path, cell);
                return true;
            default:
                return Lines(path, rune.Value, cell);
        }
    }

    static void Braille(StringBuilder path, int bits, CellBox cell)
    {
        for (var bit = 0; bit < Dots.Length; bit++)
        {
            if ((bits >> bit & 1) != 0)
            {
                var (x, y) = (cell.X + cell.Width * (Dots[bit].X * 2 + 1) / 4, cell.Y + cell.Height * (Dots[bit].Y * 2 + 1) / 8);
                Box(path, x - Dot / 2, y - Dot / 2, Dot, Dot);
            }
        }
    }

    // Half of the surface, in a pattern that goes on over the edges of the cell.
    static void Shade(StringBuilder path, CellBox cell)
    {
        for (var i = 0; i < 4; i++)
            Box(path, cell.X, cell.Y + cell.Height * i / 4, cell.Width, cell.Height / 8);
    }

    static void Dashes(StringBuilder path, CellBox cell)
    {
        for (var i = 0; i < 4; i++)
            Box(path, cell.X + cell.Width / 2 - Line / 2, cell.Y + cell.Height * (i + 0.25) / 4, Line, cell.Height / 8);
    }

    static bool Lines(StringBuilder path, int rune, CellBox cell)
    {
        // Which arms reach the edge: left, right, up, down.
        var arms = rune switch
        {
            '─' => "lr",
            '│' => "ud",
            '┌' => "rd",
            '┐' => "ld",
            '└' => "ru",
            '┘' => "lu",
            '┬' => "lrd",
            '┴' => "lru",
            '├' => "rud",
            '┤' => "lud",
            _ => "",
        };
        var (middle, centre) = (cell.X + cell.Width / 2, cell.Y + cell.Height / 2);
        foreach (var arm in arms)
        {
            switch (arm)
            {
                case 'l': Box(path, cell.X, centre - Line / 2, cell.Width / 2, Line); break;
                case 'r': Box(path, middle, centre - Line / 2, cell.Width / 2, Line); break;
                case 'u': Box(path, middle - Line / 2, cell.Y, Line, cell.Height / 2); break;
                default: Box(path, middle - Line / 2, centre, Line, cell.Height / 2); break;
            }
        }

        return arms.Length > 0;
    }

    static void Box(StringBuilder path, double x, double y, double width, double height) =>
        path.Append(CultureInfo.InvariantCulture, $"M{x:0.##} {y:0.##}h{width:0.##}v{height:0.##}h{-width:0.##}z");
}

/// <summary>Where a cell lies on a picture, or several of one row beside one another, in units of the drawing.</summary>
readonly record struct CellBox(double X, double Y, double Width, double Height);
