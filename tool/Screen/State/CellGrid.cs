using System.Text;

namespace Tpwatch.Screen.State;

/// <summary>
/// The cells of one frame of the screen. The drawing code fills the grid; a finished grid no longer changes. A write outside the grid is
/// ignored, because lanes are often only partly visible. A read outside the grid is a mistake and throws.
/// </summary>
sealed class CellGrid
{
    readonly Cell[] cells;

    public CellGrid(int width, int height)
    {
        Width = Math.Max(0, width);
        Height = Math.Max(0, height);
        cells = new Cell[Width * Height];
        Array.Fill(cells, Cell.Blank);
    }

    public int Width { get; }
    public int Height { get; }

    public Cell this[int x, int y]
    {
        get => Holds(x, y)
            ? cells[y * Width + x]
            : throw new ArgumentOutOfRangeException(nameof(x), $"({x}, {y}) is outside of {Width}x{Height}");
        set
        {
            if (Holds(x, y))
            {
                cells[y * Width + x] = value;
            }
        }
    }

    public bool SameAs(CellGrid other) => Width == other.Width && Height == other.Height && cells.AsSpan().SequenceEqual(other.cells);

    /// <summary>Returns the runes of a row as text; their number is <see cref="Width"/>.</summary>
    public string Row(int y)
    {
        var text = new StringBuilder(Width);
        for (var x = 0; x < Width; x++)
        {
            text.Append(this[x, y].Rune);
        }

        return text.ToString();
    }

    /// <summary>Returns all rows as text, each ended by a line feed.</summary>
    public override string ToString() => string.Concat(Enumerable.Range(0, Height).Select(y => Row(y) + "\n"));

    bool Holds(int x, int y) => (uint)x < (uint)Width && (uint)y < (uint)Height;
}
