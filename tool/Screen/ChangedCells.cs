using System.Text;
using Terminal.Gui.Drivers;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen;

/// <summary>
/// Lets the library write only cells that differ from what the terminal shows. By itself it writes every cell that was put since the last
/// frame, changed or not (2.5.0): twenty times as many bytes. What the library draws itself (borders, scroll bars, check boxes) is spelled
/// in the characters that the terminal has.
/// </summary>
/// <param name="glyphs">The characters that may be shown.</param>
sealed class ChangedCells(GlyphSet glyphs)
{
    Shown[,] shown = new Shown[0, 0];
    bool[] touched = [];

    /// <summary>The terminal's content is not to be trusted: the next frame is written whole.</summary>
    public void Forget() => shown = new Shown[0, 0];

    /// <summary>Called when a window is drawn and nothing is written yet: what the terminal shows already is not written.</summary>
    public void Reduce(IDriver driver)
    {
        var buffer = driver.GetOutputBuffer();
        if (buffer.Contents is not { } cells)
        {
            return;
        }

        var (rows, columns) = (cells.GetLength(0), cells.GetLength(1));
        if (shown.GetLength(0) != rows || shown.GetLength(1) != columns)
        {
            (shown, touched) = (new Shown[rows, columns], new bool[rows]);
        }

        for (var y = 0; y < rows && y < buffer.DirtyLines.Length; y++)
        {
            if (buffer.DirtyLines[y])
            {
                touched[y] = true;
                buffer.DirtyLines[y] = Reduce(cells, y, columns);
            }
        }
    }

    /// <summary>Called when a frame has been written.</summary>
    public void Written(IDriver driver)
    {
        if (driver.GetOutputBuffer().Contents is not { } cells || shown.GetLength(0) != cells.GetLength(0)
            || shown.GetLength(1) != cells.GetLength(1))
        {
            return;
        }

        for (var y = 0; y < touched.Length; y++)
        {
            for (var x = 0; touched[y] && x < cells.GetLength(1); x++)
            {
                // The library may end a frame early; what is still dirty comes with the next one.
                if (!cells[y, x].IsDirty)
                {
                    shown[y, x] = new(cells[y, x].Grapheme, cells[y, x].Attribute);
                }
            }

            touched[y] = false;
        }
    }

    bool Reduce(Terminal.Gui.Drawing.Cell[,] cells, int y, int columns)
    {
        var isDirty = false;
        for (var x = 0; x < columns; x++)
        {
            if (!cells[y, x].IsDirty)
            {
                continue;
            }

            if (cells[y, x].Grapheme is { Length: > 0 } text && !Ascii.IsValid(text))
            {
                cells[y, x].Grapheme = Spelled(text);
            }

            cells[y, x].IsDirty = new Shown(cells[y, x].Grapheme, cells[y, x].Attribute) != shown[y, x];
            isDirty |= cells[y, x].IsDirty;
        }

        return isDirty;
    }

    string Spelled(string text) => Control(text) is { } control ? control
        : !glyphs.IsAscii ? text : Line(text) ?? Runes.Ascii(Rune.GetRuneAt(text, 0)).ToString();

    // Wide in some fonts, missing in others.
    static string? Control(string text) => text switch
    {
        "☐" or "○" => "o",
        "☑" or "◉" => "*",
        _ => null,
    };

    static string? Line(string text) => text switch
    {
        "│" or "┊" or "┃" or "║" => "|",
        "─" or "━" or "═" => "-",
        "┌" or "┐" or "└" or "┘" or "├" or "┤" or "┬" or "┴" or "┼" or "╭" or "╮" or "╰" or "╯" => "+",
        "▲" => "^",
        "▼" => "v",
        "█" or "■" or "▓" => "#",
        "░" or "▒" => ":",
        _ => null,
    };

    readonly record struct Shown(string? Text, Terminal.Gui.Drawing.Attribute? Look);
}
