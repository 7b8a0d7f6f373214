using System.Text;
using Tpwatch.Reports;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Frame;
using Tpwatch.Screen.FrontEnds.Ansi;
using Tpwatch.Screen.Keys;

namespace Tpwatch.Benchmarks.Pictures;

/// <summary>
/// The real screen without a terminal: what it knows and the keys come from a script, frames and what a terminal would get go out.
/// </summary>
sealed class DrivenScreen
{
    /// <summary>The size of the pictures: the smallest at which everything is shown.</summary>
    public const int Width = 100;

    public const int Height = 30;

    readonly FrameLoop loop;
    PoolReport? report;

    public DrivenScreen() => loop = new FrameLoop(new UiApp(() => report, () => null, new Look(Theme.Dark, GlyphSet.Braille)));

    /// <summary>What is shown.</summary>
    public CellGrid Shown => loop.Shown ?? new CellGrid(Width, Height);

    /// <summary>What is known from now on; what the terminal gets for it.</summary>
    public string Know(PoolReport next)
    {
        report = next;
        loop.Tick();
        return Draw();
    }

    /// <summary>Presses a key; what the terminal gets for it.</summary>
    public string Press(string key)
    {
        loop.OnKey(ToPress(key));
        return Draw();
    }

    string Draw()
    {
        if (loop.NextFrame(Width, Height) is not { } frame)
        {
            return "";
        }

        var sent = FrameDiff.Between(loop.Shown, frame);
        loop.Put(frame);
        return sent;
    }

    static KeyPress ToPress(string key) => key switch
    {
        "up" => KeyPress.Of(Key.Up),
        "down" => KeyPress.Of(Key.Down),
        "left" => KeyPress.Of(Key.Left),
        "right" => KeyPress.Of(Key.Right),
        "enter" => KeyPress.Of(Key.Enter),
        "esc" => KeyPress.Of(Key.Escape),
        "pgdn" => KeyPress.Of(Key.PageDown),
        _ => new KeyPress(Key.Char, Rune.GetRuneAt(key, 0), false, false, false),
    };
}
