using System.Globalization;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Frame;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;

namespace Tpwatch.Tests.Screen.FrontEnds;

/// <summary>
/// An app whose frames say what a front end told it: the size, every key in its order, ticks. <c>q</c> quits, <c>!</c> fails, <c>n</c> is
/// news that the next tick finds, <c>i</c> means nothing, <c>y</c> copies.
/// </summary>
sealed class ContractApp : IUiApp
{
    readonly List<string> keys = [];
    int renders;
    bool news;
    int found;
    string? clip;

    /// <summary>The look of the word <c>red</c> in the last row.</summary>
    public static Style Red { get; } = new(0xD55E00, Attr: Attr.Bold);

    public bool Tick()
    {
        var something = news;
        news = false;
        found += something ? 1 : 0;
        return something;
    }

    public CellGrid Render(int width, int height)
    {
        renders++;
        var grid = new CellGrid(width, height);
        Put(grid, 0, FormattableString.Invariant($"size {width}x{height}"), Style.Plain);
        Put(grid, 1, "keys " + string.Join(' ', keys), Style.Plain);
        Put(grid, 2, FormattableString.Invariant($"renders {renders} news {found}"), Style.Plain);
        Put(grid, height - 1, "red", Red);
        return grid;
    }

    public Reply OnKey(KeyPress key)
    {
        switch (key)
        {
            case { Key: Key.Char, Char.Value: 'q' }: return Reply.Quit;
            case { Key: Key.Char, Char.Value: 'i' }: return Reply.Ignored;
            case { Key: Key.Char, Char.Value: '!' }: throw new InvalidOperationException("the app failed");
            case { Key: Key.Char, Char.Value: 'n' }:
                news = true;
                return Reply.Ignored;
            case { Key: Key.Char, Char.Value: 'y' }:
                clip = "copied";
                return Reply.Handled;
            case { Key: Key.F5 }:
                keys.Add("F5");
                return Reply.Redraw;
            default:
                keys.Add(Name(key));
                return Reply.Handled;
        }
    }

    public string? TakeClip()
    {
        var text = clip;
        clip = null;
        return text;
    }

    static string Name(KeyPress key) =>
        (key.Ctrl ? "ctrl+" : "") + (key.Key == Key.Char ? key.Char.ToString() : key.Key.ToString().ToLower(CultureInfo.InvariantCulture));

    static void Put(CellGrid grid, int y, string text, Style style)
    {
        for (var x = 0; x < text.Length; x++)
        {
            grid[x, y] = new Cell(new System.Text.Rune(text[x]), style.Fg, style.Bg, style.Attr);
        }
    }
}
