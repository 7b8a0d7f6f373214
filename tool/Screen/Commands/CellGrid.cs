using System.Text;
using Tpwatch.Text;

namespace Tpwatch.Screen.Commands;

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

/// <summary>One cell of the screen: a rune that is one column wide, with its colours and attributes.</summary>
readonly record struct Cell(Rune Rune, int Fg = Colour.Own, int Bg = Colour.Own, CellAttributes Attr = CellAttributes.None)
{
    /// <summary>A blank in the terminal's own colours.</summary>
    public static Cell Blank { get; } = new(new Rune(' '));

    public Style Style => new(Fg, Bg, Attr);
}

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

    /// <summary>Writes a text; returns the column after the text.</summary>
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

    public void Fill(int y, char character, Role role)
    {
        for (var x = 0; x < Width; x++)
        {
            Put(x, y, character, role);
        }
    }
}

/// <summary>Text attributes of a cell, apart from its colours.</summary>
[Flags]
enum CellAttributes : byte
{
    None = 0,
    Bold = 1,
    Faint = 2,
    Underline = 4,
    Reverse = 8,
}

/// <summary>Colours and attributes of a cell.</summary>
readonly record struct Style(int Fg = Colour.Own, int Bg = Colour.Own, CellAttributes Attr = CellAttributes.None)
{
    /// <summary>The terminal's default colours, without attributes.</summary>
    public static Style Plain { get; } = new(Colour.Own);
}

/// <summary>Colours as one number each: the terminal's default colour, one of the terminal's sixteen colours, or 24-bit RGB.</summary>
static class Colour
{
    public const int Own = -1;

    const int PaletteFlag = 1 << 24;

    /// <summary>Returns the number for one of the terminal's sixteen colours, 0 to 15.</summary>
    public static int Palette(int index) => PaletteFlag | index;

    public static bool IsPalette(int colour, out int index)
    {
        index = colour & 0xF;
        return colour >= PaletteFlag;
    }
}

/// <summary>
/// Replaces runes that do not take exactly one column, because names and command lines come from other programs. A wide or combining rune
/// would shift the rest of its row, and a control character could change the state of the terminal.
/// </summary>
static class Runes
{
    static readonly Rune Unprintable = new('?');

    /// <summary>Returns the rune itself if the rune is known to be one column wide, else a question mark.</summary>
    public static Rune Narrow(Rune rune) => IsNarrow(rune.Value) ? rune : Unprintable;

    /// <summary>Returns the nearest ASCII character; a question mark where there is none.</summary>
    public static Rune Ascii(Rune rune) => rune.IsAscii ? Narrow(rune) : new Rune(Nearest(rune.Value));

    /// <summary>Whether a rune takes one column in every terminal that is set to a Western or UTF-8 locale.</summary>
    public static bool IsNarrow(int value) => value switch
    {
        < 0x20 or 0x7F => false,
        < 0x7F => true,
        >= 0xA0 and <= 0x24F => value != 0xAD,
        >= 0x391 and <= 0x3C9 => value != 0x3A2,
        >= 0x400 and <= 0x45F => true,
        >= 0x2010 and <= 0x2015 or >= 0x2018 and <= 0x2022 or 0x2026 => true,
        >= 0x2190 and <= 0x2193 or 0x2248 or 0x2260 or 0x2264 or 0x2265 => true,
        >= 0x2500 and <= 0x259F => true,
        >= 0x2800 and <= 0x28FF => true,
        _ => false,
    };

    static char Nearest(int value) => (char)value switch
    {
        '×' => 'x',
        'µ' or 'μ' => 'u',
        '–' or '—' or '─' => '-',
        '·' or '…' => '.',
        '‘' or '’' => '\'',
        '“' or '”' => '"',
        '→' or '≥' => '>',
        '←' or '≤' => '<',
        '│' or '┊' => '|',
        '\u00A0' => ' ',
        _ => '?',
    };
}

/// <summary>Wraps and shortens texts to a width in characters.</summary>
static class TextFit
{
    /// <summary>
    /// Breaks a text at blanks. The maximum number of lines is <paramref name="lines"/>, the maximum length of a line is
    /// <paramref name="width"/>. The last line ends with two dots when text is left over.
    /// </summary>
    public static IReadOnlyList<string> Wrap(string text, int width, int lines)
    {
        var result = new List<string>();
        var rest = text.Trim();
        while (rest.Length > 0 && result.Count < lines && width > 0)
        {
            if (rest.Length <= width || result.Count == lines - 1)
            {
                result.Add(Whole(rest, width));
                break;
            }

            var blank = rest.LastIndexOf(' ', width);
            var end = blank > 0 ? blank : width;
            result.Add(rest[..end].TrimEnd());
            rest = rest[end..].TrimStart();
        }

        return result;
    }

    /// <summary>Cuts a text to at most <paramref name="width"/> characters; a cut text ends with two dots.</summary>
    public static string Cut(string text, int width) =>
        text.Length <= width ? text : width < 3 ? text[..Math.Max(0, width)] : text[..(width - 2)].TrimEnd() + "..";

    /// <summary>Cuts a text like <see cref="Cut"/>, but at a blank if there is one.</summary>
    public static string Whole(string text, int width)
    {
        var blank = text.Length <= width || width < 3 ? -1 : text.LastIndexOf(' ', width - 2);
        return blank > 0 ? text[..blank].TrimEnd() + ".." : Cut(text, width);
    }

    /// <summary>Joins the parts that fit into the width, in the given order; a part that does not fit is left out.</summary>
    public static string Fit(IEnumerable<string> parts, int width, string between = "  ")
    {
        var line = "";
        foreach (var part in parts.Where(p => p.Length > 0))
        {
            var longer = line.Length == 0 ? part : line + between + part;
            line = longer.TrimEnd().Length <= width ? longer : line;
        }

        return line.TrimEnd();
    }
}
