using System.Text;

namespace Terminal.Gui.Drivers;

public enum SizeDetectionMode
{
    AnsiQuery,
    Polling,
}

public sealed class Driver
{
    public static SizeDetectionMode SizeDetection { get; set; }
}

public interface IDriver
{
    void SetScreenSize(int width, int height);

    void WriteRaw(string ansi);
}

/// <summary>A screen of cells; ours alone.</summary>
public sealed class StandInDriver : IDriver
{
    readonly StringBuilder raw = new();
    volatile (Rune Rune, Drawing.Attribute Look)[,] cells = new (Rune, Drawing.Attribute)[0, 0];
    (int X, int Y) at;
    Drawing.Attribute look;

    public int Width => cells.GetLength(0);

    public int Height => cells.GetLength(1);

    /// <summary>How often the view has drawn.</summary>
    public int Drawings { get; set; }

    public string Raw => raw.ToString();

    // The same size is no change, and nothing would be drawn anew.
    public void SetScreenSize(int width, int height) =>
        cells = (width, height) == (Width, Height) ? cells : new (Rune, Drawing.Attribute)[Math.Max(0, width), Math.Max(0, height)];

    public void WriteRaw(string ansi) => raw.Append(ansi);

    public bool Move(int x, int y)
    {
        at = (x, y);
        return true;
    }

    public Drawing.Attribute SetAttribute(Drawing.Attribute attribute)
    {
        var before = look;
        look = attribute;
        return before;
    }

    public void AddStr(string text)
    {
        foreach (var rune in text.EnumerateRunes())
        {
            if (at.X < Width && at.Y < Height)
            {
                cells[at.X, at.Y] = (rune, look);
            }

            at.X++;
        }
    }

    public (Rune Rune, Drawing.Attribute Look) this[int x, int y] => cells[x, y];

    public string Row(int y) => string.Concat(Enumerable.Range(0, Width).Select(x => cells[x, y].Rune.ToString()));
}

[Flags]
public enum KeyCode : uint
{
    CharMask = 0x_f_ffff,
    SpecialMask = 0x_fff0_0000,
    ShiftMask = 0x_1000_0000,
    AltMask = 0x_8000_0000,
    CtrlMask = 0x_4000_0000,
    Null = 0,
    Backspace = 8,
    Tab = 9,
    Enter = ConsoleKey.Enter,
    Esc = 27,
    Space = 32,
    A = 65,
    Z = 90,
    MaxCodePoint = 0x10FFFF,
    CursorUp = MaxCodePoint + ConsoleKey.UpArrow,
    CursorDown = MaxCodePoint + ConsoleKey.DownArrow,
    CursorLeft = MaxCodePoint + ConsoleKey.LeftArrow,
    CursorRight = MaxCodePoint + ConsoleKey.RightArrow,
    PageUp = MaxCodePoint + ConsoleKey.PageUp,
    PageDown = MaxCodePoint + ConsoleKey.PageDown,
    Home = MaxCodePoint + ConsoleKey.Home,
    End = MaxCodePoint + ConsoleKey.End,
    Delete = MaxCodePoint + ConsoleKey.Delete,
    F5 = MaxCodePoint + ConsoleKey.F5,
}
