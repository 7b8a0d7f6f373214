using System.Globalization;
using System.Text;

namespace Tpwatch.Benchmarks.Pictures;

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
        {
            Box(path, cell.X, cell.Y + cell.Height * i / 4, cell.Width, cell.Height / 8);
        }
    }

    static void Dashes(StringBuilder path, CellBox cell)
    {
        for (var i = 0; i < 4; i++)
        {
            Box(path, cell.X + cell.Width / 2 - Line / 2, cell.Y + cell.Height * (i + 0.25) / 4, Line, cell.Height / 8);
        }
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
