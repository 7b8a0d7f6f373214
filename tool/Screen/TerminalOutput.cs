using System.Runtime.InteropServices;
using System.Text;
using Terminal.Gui.Drivers;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Screen;

/// <summary>
/// Writes bytes to standard output, on Unix without <see cref="Console"/>'s stream: that stream shares a lock with the reader of keys, and
/// hides that the terminal is gone.
/// </summary>
sealed class TerminalOutput
{
    /// <summary>
    /// Time without output after which a terminal counts as gone, milliseconds; applies only to a non-blocking descriptor.
    /// </summary>
    const int PatienceMs = 2000;

    const int RetryMs = 5;

    readonly Stream? console = OperatingSystem.IsWindows() ? Console.OpenStandardOutput() : null;

    /// <summary>Writes a text; returns false when the terminal is gone.</summary>
    public bool Write(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        if (console is null)
        {
            return WriteUnix(bytes);
        }

        console.Write(bytes);
        return true;
    }

    static unsafe bool WriteUnix(ReadOnlySpan<byte> bytes)
    {
        var waited = 0;
        while (bytes.Length > 0)
        {
            nint written;
            fixed (byte* first = bytes)
            {
                written = Libc.Write(Libc.Stdout, first, bytes.Length);
            }

            if (written >= 0)
            {
                bytes = bytes[(int)written..];
            }
            else if (!MayRetry(ref waited))
            {
                return false;
            }
        }

        return true;
    }

    static bool MayRetry(ref int waited)
    {
        var error = Marshal.GetLastPInvokeError();
        if (error == Libc.Interrupted)
        {
            return true;
        }

        if (error is not (Libc.TryAgain or Libc.TryAgainMacOs) || waited >= PatienceMs)
        {
            return false;
        }

        Thread.Sleep(RetryMs);
        waited += RetryMs;
        return true;
    }
}

/// <summary>
/// Makes Terminal.Gui write only cells that differ from those on the terminal. By default Terminal.Gui writes every cell that was drawn
/// since the last frame, changed or not (2.5.0), which is twenty times as many bytes. This class also replaces the characters of
/// Terminal.Gui's own borders, scroll bars and check boxes by characters that the terminal has.
/// </summary>
/// <param name="glyphs">The characters that the terminal can show.</param>
sealed class ChangedCells(GlyphSet glyphs)
{
    Shown[,] shown = new Shown[0, 0];
    bool[] touched = [];

    /// <summary>Forgets the content of the terminal, so that the next frame is written as a whole.</summary>
    public void Forget() => shown = new Shown[0, 0];

    /// <summary>Excludes from the next frame the cells that the terminal already shows; called after a window has been drawn.</summary>
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

    /// <summary>Remembers the cells of a frame; called after the frame has been written.</summary>
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
                // Terminal.Gui may end a frame early; cells that are still dirty are written with the next frame.
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

    // Replaces characters that are wide in some fonts and missing in others.
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
