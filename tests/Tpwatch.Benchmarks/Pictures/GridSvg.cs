using System.Globalization;
using System.Security;
using System.Text;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Benchmarks.Pictures;

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
        {
            AppendRow(svg, grid, y);
        }

        return svg.Append("</g>\n</svg>\n").ToString();
    }

    static void AppendRow(StringBuilder svg, CellGrid grid, int y)
    {
        for (int x = 0, end; x < grid.Width; x = end)
        {
            end = x + 1;
            while (end < grid.Width && grid[end, y].Style == grid[x, y].Style)
            {
                end++;
            }

            AppendRun(svg, grid, y, x, end);
        }
    }

    static void AppendRun(StringBuilder svg, CellGrid grid, int y, int from, int to)
    {
        var style = grid[from, y].Style;
        var (ink, paper) = (Rgb(style.Fg, Ink), Rgb(style.Bg, Paper));
        if (style.Attr.HasFlag(Attr.Reverse))
        {
            (ink, paper) = (paper, ink);
        }

        AppendPaper(svg, Box(from, y, to - from), paper);
        var shapes = new StringBuilder();
        for (int x = from, end; x < to; x = end)
        {
            end = x + 1;
            var cell = Box(x, y, 1);
            if (grid[x, y].Rune.Value == ' ' || GlyphShape.Append(shapes, grid[x, y].Rune, cell))
            {
                continue;
            }

            var word = new StringBuilder(grid[x, y].Rune.ToString());
            for (; end < to && IsText(grid[end, y].Rune); end++)
            {
                word.Append(grid[end, y].Rune);
            }

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
    static void AppendText(StringBuilder svg, CellBox first, string text, Attr attr, int ink)
    {
        var weight = attr.HasFlag(Attr.Bold) ? " font-weight=\"bold\"" : "";
        var under = attr.HasFlag(Attr.Underline) ? " text-decoration=\"underline\"" : "";
        svg.Append(CultureInfo.InvariantCulture,
            $"<text x=\"{first.X:0.##}\" y=\"{first.Y + Baseline:0.##}\" textLength=\"{text.Length * CellWidth:0.##}\" lengthAdjust="
                + $"\"spacingAndGlyphs\"{weight}{under}{Opacity(attr)} fill=\"{Hex(ink)}\">{SecurityElement.Escape(text)}</text>\n");
    }

    static CellBox Box(int x, int y, int columns) => new(Margin + x * CellWidth, Margin + y * CellHeight, columns * CellWidth, CellHeight);

    // A word ends at a blank or a shape: a font that is wider or narrower then never shifts what stands far to the right.
    static bool IsText(Rune rune) => rune.Value != ' ' && !GlyphShape.Append(new StringBuilder(), rune, default);

    static string Opacity(Attr attr) => attr.HasFlag(Attr.Faint) ? FormattableString.Invariant($" opacity=\"{FaintOpacity}\"") : "";

    static int Rgb(int colour, int own) =>
        colour == Colour.Own ? own : Colour.IsPalette(colour, out var index) ? Colour.OfXterm(index) : colour;

    static string Hex(int colour) => FormattableString.Invariant($"#{colour:X6}");
}
