using System.Drawing;
using System.Globalization;
using System.Text;
using Terminal.Gui.App;
using Terminal.Gui.Drivers;
using Terminal.Gui.Input;
using Terminal.Gui.Time;
using Terminal.Gui.Views;
using Tpwatch.Reports;
using Tpwatch.Screen;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;
using Attribute = Terminal.Gui.Drawing.Attribute;
using Cell = Tpwatch.Screen.Commands.Cell;

namespace Tpwatch.Lab.Pictures;

/// <summary>
/// The real screen without a terminal: the library's own driver without a device, and its virtual time. Keys and mouse go in, frames come
/// out as a terminal would show them.
/// </summary>
sealed class HeadlessScreen : IDisposable
{
    static readonly Dictionary<string, Key> Names = new()
    {
        ["left"] = Key.CursorLeft, ["right"] = Key.CursorRight, ["up"] = Key.CursorUp, ["down"] = Key.CursorDown, ["esc"] = Key.Esc,
        ["F5"] = Key.F5, ["enter"] = Key.Enter, ["tab"] = Key.Tab, ["home"] = Key.Home, ["end"] = Key.End, ["pgup"] = Key.PageUp,
        ["pgdn"] = Key.PageDown, ["back"] = Key.Backspace, ["space"] = Key.Space,
    };

    readonly IApplication app;
    readonly Dictionary<Attribute, Style> styles;
    readonly Runnable window;
    readonly Action check;
    readonly List<CellGrid> frames = [];
    bool isStale;

    static HeadlessScreen() => Environment.SetEnvironmentVariable("DisableRealDriverIO", "1");

    HeadlessScreen(Look look, int width, int height, Func<HeadlessScreen, (Runnable Window, Action Tick)> make)
    {
        styles = Enum.GetValues<Role>().Select(r => look.Theme[r]).Distinct().ToDictionary(Looks.Of);
        Driver.SizeDetection = SizeDetectionMode.Polling;
        app = Application.Create(new VirtualTimeProvider());
        app.Init("ansi");
        var changed = new ChangedCells(look.Glyphs);
        ScreenHost.Prepare(app, changed, () => { });
        app.Driver!.SetScreenSize(width, height);
        (window, check) = make(this);
        check();
        app.Begin(window);
        Draw();
    }

    /// <summary>The model behind the screen; null of the picker and of the wait for a process.</summary>
    public ScreenModel? Model { get; private set; }

    /// <summary>Every frame that differs from the one before, or was drawn anew.</summary>
    public IReadOnlyList<CellGrid> Frames => frames;

    /// <summary>What is shown.</summary>
    public CellGrid Shown => frames is [.., var last] ? last : new CellGrid(0, 0);

    /// <summary>What was put on the clipboard, one entry each time.</summary>
    public List<string> Clips { get; } = [];

    /// <summary>Whether it asked to end.</summary>
    public bool HasQuit => window.StopRequested;

    /// <summary>The screen of an observation: its newest report, its banner, and what may be asked for.</summary>
    public static HeadlessScreen Of(
        Func<PoolReport?> latest, Func<Notice?> notice, ScreenCalls links, Look look, int width, int height) =>
        new(look, width, height, screen =>
        {
            var model = screen.Model = new(latest, notice, links) { Side = AtOnce };
            model.Copied += screen.Clips.Add;
            model.Redrawn += () => screen.isStale = true;
            return (Sheets.Window(model, look), model.Tick);
        });

    /// <summary>Any other window.</summary>
    public static HeadlessScreen Of(Func<(Runnable Window, Action Tick)> make, Look look, int width, int height) =>
        new(look, width, height, _ => make());

    /// <summary>The frame of what is known and chosen.</summary>
    public static CellGrid FrameOf(Scene scene, Look look, int width, int height, params string[] keys)
    {
        using var screen = Of(() => scene.Report, () => null, new(), look, width, height);
        screen.Choose(scene.State);
        foreach (var key in keys)
            screen.Press(key);
        return screen.Shown;
    }

    /// <summary>Takes a state as if the user had chosen all that is in it.</summary>
    public void Choose(ViewState state)
    {
        Model!.Choose(_ => state);
        Draw();
    }

    /// <summary>Presses a key.</summary>
    public void Press(string key)
    {
        app.Keyboard.RaiseKeyDownEvent(ToKey(key));
        Draw();
    }

    /// <summary>A key by its name in these tests.</summary>
    public static Key ToKey(string key) => Names.TryGetValue(key, out var named) ? new(named)
        : key.StartsWith("ctrl+", StringComparison.Ordinal) ? new Key(key[^1]).WithCtrl
        : new(key[0]);

    /// <summary>Clicks, twice for a double click.</summary>
    public void Click(int x, int y, bool twice = false)
    {
        MouseFlags[] clicks = twice ? [MouseFlags.LeftButtonClicked, MouseFlags.LeftButtonDoubleClicked] : [MouseFlags.LeftButtonClicked];
        foreach (var click in clicks)
        {
            Mouse(x, y, MouseFlags.LeftButtonPressed);
            Mouse(x, y, MouseFlags.LeftButtonReleased);
            Mouse(x, y, click);
        }

        Draw();
    }

    /// <summary>Turns the wheel.</summary>
    public void Wheel(int x, int y, bool up)
    {
        Mouse(x, y, up ? MouseFlags.WheeledUp : MouseFlags.WheeledDown);
        Draw();
    }

    /// <summary>Presses at one place and releases at another; the library tells of a click then, too.</summary>
    public void Drag(int fromX, int toX, int y)
    {
        Mouse(fromX, y, MouseFlags.LeftButtonPressed);
        for (var x = fromX; x != toX; x += Math.Sign(toX - fromX))
            Mouse(x, y, MouseFlags.LeftButtonPressed | MouseFlags.PositionReport);
        Mouse(toX, y, MouseFlags.LeftButtonPressed | MouseFlags.PositionReport);
        Mouse(toX, y, MouseFlags.LeftButtonReleased);
        Mouse(toX, y, MouseFlags.LeftButtonClicked);
        Draw();
    }

    /// <summary>Makes the screen another size.</summary>
    public void Resize(int width, int height)
    {
        app.Driver!.SetScreenSize(width, height);
        Draw();
    }

    /// <summary>Looks for news.</summary>
    public void Tick()
    {
        check();
        Draw();
    }

    /// <inheritdoc/>
    public void Dispose() => app.Dispose();

    void Mouse(int x, int y, MouseFlags flags) => app.Mouse.RaiseMouseEvent(new() { ScreenPosition = new Point(x, y), Flags = flags });

    void Draw()
    {
        if (HasQuit)
            return;
        app.LayoutAndDraw();
        var grid = Grid();
        if (frames.Count == 0 || isStale || !grid.SameAs(Shown))
        {
            frames.Add(grid);
            isStale = false;
        }
    }

    CellGrid Grid()
    {
        var cells = app.Driver!.Contents!;
        var grid = new CellGrid(cells.GetLength(1), cells.GetLength(0));
        for (var y = 0; y < grid.Height; y++)
        {
            for (var x = 0; x < grid.Width; x++)
            {
                var style = cells[y, x].Attribute is { } look ? StyleOf(look) : Style.Plain;
                var rune = cells[y, x].Grapheme is { Length: > 0 } text ? Rune.GetRuneAt(text, 0) : new Rune(' ');
                grid[x, y] = new Cell(rune, style.Fg, style.Bg, style.Attr);
            }
        }

        return grid;
    }

    // Fields of text have a look of their own, and what was never drawn has the library's.
    Style StyleOf(Attribute look)
    {
        if (!styles.TryGetValue(look, out var style))
        {
            var attr = look.Style.HasFlag(Terminal.Gui.Drawing.TextStyle.Underline) ? CellAttributes.Underline : CellAttributes.None;
            style = styles.GetValueOrDefault(look with { Style = look.Style & ~Terminal.Gui.Drawing.TextStyle.Underline });
            style = styles[look] = style with { Attr = style.Attr | attr };
        }

        return style;
    }

    static Task AtOnce(Action action)
    {
        action();
        return Task.CompletedTask;
    }
}

/// <summary>
/// The real screen for pictures: what it knows and the keys come from a script, frames and what a terminal would get go out.
/// </summary>
sealed class DrivenScreen : IDisposable
{
    /// <summary>The size of the pictures: the smallest at which everything is shown.</summary>
    public const int Width = 100;

    public const int Height = 30;

    readonly HeadlessScreen screen;
    PoolReport? report;
    CellGrid sent = new(Width, Height);

    /// <param name="links">What may be asked for; nothing by default.</param>
    public DrivenScreen(ScreenCalls? links = null) => screen = HeadlessScreen.Of(
        () => report, () => null, links ?? new(), new Look(Theme.Dark, GlyphSet.Braille), Width, Height);

    /// <summary>What is shown.</summary>
    public CellGrid Shown => screen.Shown;

    /// <summary>What is known from now on; what the terminal gets for it.</summary>
    public string Know(PoolReport next)
    {
        report = next;
        screen.Tick();
        return Changes();
    }

    /// <summary>Presses a key; what the terminal gets for it.</summary>
    public string Press(string key)
    {
        screen.Press(key);
        return Changes();
    }

    public void Dispose() => screen.Dispose();

    // The rows that differ, whole: enough for a recording of the terminal.
    string Changes()
    {
        var text = new StringBuilder();
        for (var y = 0; y < Height; y++)
        {
            var row = y;
            if (Enumerable.Range(0, Width).All(x => sent[x, row] == Shown[x, row]))
                continue;
            text.Append(CultureInfo.InvariantCulture, $"\e[{y + 1};1H");
            for (var x = 0; x < Width; x++)
            {
                if (x == 0 || Shown[x, y].Style != Shown[x - 1, y].Style)
                    Append(text, Shown[x, y].Style);
                text.Append(Shown[x, y].Rune);
            }
        }

        sent = Shown;
        return text.Length == 0 ? "" : text.Append("\e[0m").ToString();
    }

    static void Append(StringBuilder to, Style style)
    {
        to.Append("\e[0");
        (CellAttributes Attr, string Code)[] codes =
        [
            (CellAttributes.Bold, ";1"), (CellAttributes.Faint, ";2"), (CellAttributes.Underline, ";4"), (CellAttributes.Reverse, ";7"),
        ];
        foreach (var (attr, code) in codes)
            to.Append(style.Attr.HasFlag(attr) ? code : "");
        foreach (var (colour, ground) in new[] { (style.Fg, 38), (style.Bg, 48) })
        {
            if (colour != Colour.Own)
                to.Append(CultureInfo.InvariantCulture, $";{ground};2;{colour >> 16 & 0xFF};{colour >> 8 & 0xFF};{colour & 0xFF}");
        }

        to.Append('m');
    }
}
