using System.Text;
using Tpwatch.Text;

namespace Tpwatch.Screen.State;

/// <summary>A rectangle of a grid, with its own origin, on which a widget draws. Drawing outside the rectangle is cut off.</summary>
sealed class Pane
{
    readonly CellGrid grid;
    readonly int left;
    readonly int top;

    public Pane(CellGrid grid, Look look)
        : this(grid, look, 0, 0, grid.Width, grid.Height)
    {
    }

    Pane(CellGrid grid, Look look, int left, int top, int width, int height)
    {
        this.grid = grid;
        Look = look;
        this.left = left;
        this.top = top;
        Width = Math.Max(0, width);
        Height = Math.Max(0, height);
    }

    public Look Look { get; }
    public GlyphSet Glyphs => Look.Glyphs;
    public int Width { get; }
    public int Height { get; }

    /// <summary>Returns a part of this pane: some rows, over the whole width.</summary>
    public Pane Rows(int y, int height)
    {
        var from = Math.Clamp(y, 0, Height);
        return new(grid, Look, left, top + from, Width, Math.Min(height, Height - from));
    }

    /// <summary>Returns a part of this pane: some columns, over the whole height.</summary>
    public Pane Columns(int x, int width)
    {
        var from = Math.Clamp(x, 0, Width);
        return new(grid, Look, left + from, top, Math.Min(width, Width - from), Height);
    }

    /// <summary>Writes a text and returns the column after it.</summary>
    public int Put(int x, int y, string text, Role role = Role.Text)
    {
        foreach (var rune in text.EnumerateRunes())
        {
            Put(x++, y, rune, role);
        }

        return x;
    }

    /// <summary>Writes a text that ends before column <paramref name="end"/>.</summary>
    public void PutEndingAt(int end, int y, string text, Role role = Role.Text) => Put(end - text.EnumerateRunes().Count(), y, text, role);

    public void Put(int x, int y, char character, Role role) => Put(x, y, new Rune(character), role);

    public void Put(int x, int y, Rune rune, Role role)
    {
        if ((uint)x < (uint)Width && (uint)y < (uint)Height)
        {
            var style = Look.Theme[role];
            grid[left + x, top + y] = new Cell(Glyphs.Show(rune), style.Fg, style.Bg, style.Attr);
        }
    }

    /// <summary>Fills a row with one character.</summary>
    public void Fill(int y, char character, Role role)
    {
        for (var x = 0; x < Width; x++)
        {
            Put(x, y, character, role);
        }
    }

    /// <summary>Fills the pane with blanks.</summary>
    public void Clear()
    {
        for (var y = 0; y < Height; y++)
        {
            Fill(y, ' ', Role.Text);
        }
    }
}
