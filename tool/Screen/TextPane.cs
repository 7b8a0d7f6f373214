using System.Drawing;
using System.Text;
using Terminal.Gui.Drawing;
using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Terminal.Gui.Views;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;
using Attribute = Terminal.Gui.Drawing.Attribute;
using Color = Terminal.Gui.Drawing.Color;

namespace Tpwatch.Screen;

/// <summary>Lines of text that Terminal.Gui scrolls by keys, wheel and scroll bar.</summary>
sealed class TextPane : View
{
    readonly Func<Looks> looks;
    ImmutableArray<TextLine> lines = [];
    object? about;

    public TextPane(Func<Looks> looks)
    {
        this.looks = looks;
        (Width, Height) = (Dim.Fill(), Dim.Fill());
        ViewportSettings |= ViewportSettingsFlags.HasVerticalScrollBar;
        AddCommand(Command.ScrollUp, () => ScrollVertical(-1));
        AddCommand(Command.ScrollDown, () => ScrollVertical(1));
        AddCommand(Command.PageUp, () => ScrollVertical(-Page));
        AddCommand(Command.PageDown, () => ScrollVertical(Page));
        AddCommand(Command.Start, () => ScrollVertical(-lines.Length));
        AddCommand(Command.End, () => ScrollVertical(lines.Length));
        MouseBindings.ReplaceCommands(MouseFlags.WheeledUp, Command.ScrollUp);
        MouseBindings.ReplaceCommands(MouseFlags.WheeledDown, Command.ScrollDown);
    }

    int Page => Math.Max(1, Viewport.Height - 1);

    /// <summary>Replaces the lines.</summary>
    /// <param name="what">The subject of the text; when the subject changes, the view scrolls back to the top.</param>
    /// <param name="text">Gets the lines for a width in columns.</param>
    public void Fill(object? what, Func<int, IEnumerable<TextLine>> text)
    {
        // The text has a margin of one column at each side; the scroll bar takes one more column.
        ImmutableArray<TextLine> next = [.. text(Math.Max(1, Frame.Width - 2))];
        if (next.Length > Frame.Height)
        {
            next = [.. text(Math.Max(1, Frame.Width - 3))];
        }

        if (!Equals(what, about))
        {
            about = what;
            Viewport = Viewport with { Y = 0 };
        }

        if (!next.SequenceEqual(lines) || GetContentSize().Height != Math.Max(1, next.Length))
        {
            lines = next;
            SetContentSize(new Size(Math.Max(1, Frame.Width - 1), Math.Max(1, lines.Length)));
            Viewport = Viewport with { Y = Math.Clamp(Viewport.Y, 0, Math.Max(0, lines.Length - Viewport.Height)) };
            SetNeedsDraw();
        }
    }

    protected override bool OnClearingViewport() => true;

    protected override bool OnDrawingContent(DrawContext? context)
    {
        var grid = new CellGrid(Viewport.Width, Viewport.Height);
        var pane = new Pane(grid, looks().Look);
        for (var y = 0; y < grid.Height && Viewport.Y + y < lines.Length; y++)
        {
            pane.Put(1, y, lines[Viewport.Y + y].Text, lines[Viewport.Y + y].Role);
        }

        DrawingView.Put(this, grid);
        return true;
    }
}

/// <summary>A line of text and its role, which decides the colours.</summary>
readonly record struct TextLine(string Text, Role Role = Role.Text);

/// <summary>Draws and wraps lines of text.</summary>
static class TextBlock
{
    /// <summary>Draws the lines that fit; if some do not fit, the last row says how many lines are left out.</summary>
    public static void Draw(Pane pane, IReadOnlyList<TextLine> lines)
    {
        var room = lines.Count > pane.Height ? pane.Height - 1 : pane.Height;
        for (var y = 0; y < room && y < lines.Count; y++)
        {
            pane.Put(1, y, lines[y].Text, lines[y].Role);
        }

        if (room < pane.Height)
        {
            pane.PutEndingAt(pane.Width - 1, room, Format.Plural(lines.Count - room, "more line"), Role.Faint);
        }
    }

    /// <summary>Returns a text as indented lines, wrapped at blanks, with a label to the left of the first line.</summary>
    public static IEnumerable<TextLine> Labelled(string label, string text, int indent, int width, Role role = Role.Text) =>
        TextFit.Wrap(text, Math.Max(1, width - indent), int.MaxValue)
            .Select((line, i) => new TextLine((i == 0 ? label : "").PadRight(indent) + line, role));

    /// <summary>Draws a horizontal line across the first row, with a title on that line.</summary>
    public static void Title(Pane line, string text)
    {
        line.Fill(0, line.Glyphs.Rule, Role.Faint);
        line.Put(1, 0, $" {TextFit.Cut(text, line.Width - 4)} ", Role.Title);
    }
}

/// <summary>A view that only draws, without subviews.</summary>
/// <param name="draw">Draws on a pane of the view's size.</param>
class DrawingView(Func<Looks> looks, Action<Pane> draw) : View
{
    protected Look Look => looks().Look;

    protected override bool OnClearingViewport() => true; // no clearing, because drawing sets every cell

    protected override bool OnDrawingContent(DrawContext? context)
    {
        var grid = new CellGrid(Viewport.Width, Viewport.Height);
        draw(new Pane(grid, Look));
        Put(this, grid);
        return true;
    }

    /// <summary>Copies a grid to a view, starting at the upper left corner.</summary>
    public static void Put(View view, CellGrid grid)
    {
        var text = new StringBuilder();
        for (var y = 0; y < grid.Height; y++)
        {
            for (var x = 0; x < grid.Width;)
            {
                var (style, from) = (grid[x, y].Style, x);
                text.Clear();
                for (; x < grid.Width && grid[x, y].Style == style; x++)
                {
                    text.Append(grid[x, y].Rune);
                }

                view.Move(from, y);
                view.SetAttribute(Looks.Of(style));
                view.AddStr(text.ToString());
            }
        }
    }
}

/// <summary>A field for one line of text, with an action for Enter.</summary>
sealed class TextInput : TextField
{
    public TextInput(Action enter)
    {
        Width = Dim.Fill();
        Accepting += (_, e) =>
        {
            // Otherwise the window or dialog around the field would also handle the Enter key.
            e.Handled = true;
            enter();
        };
    }
}

/// <summary>The theme of the screen, converted to Terminal.Gui's colour schemes.</summary>
sealed class Looks
{
    readonly Scheme[] schemes;
    readonly Scheme[] still;

    public Looks(Look look)
    {
        Look = look;
        schemes = [.. Enum.GetValues<Role>().Select(SchemeOf)];
        still = [.. schemes.Select(s => s with { Active = s.Normal, Focus = s.Normal })];
    }

    public Look Look { get; }

    /// <summary>The scheme of a view whose text has the given role; the selection looks alike in all schemes.</summary>
    public Scheme this[Role role] => schemes[(int)role];

    /// <summary>The scheme for a role; if <paramref name="canSelect"/> is false, focus does not change the colours.</summary>
    public Scheme Of(Role role, bool canSelect) => canSelect ? schemes[(int)role] : still[(int)role];

    /// <summary>Converts the colours and attributes of a cell to those of Terminal.Gui.</summary>
    public static Attribute Of(Style style) => new(Ink(style.Fg), Ink(style.Bg), TextOf(style.Attr));

    Scheme SchemeOf(Role role)
    {
        var (text, selected) = (Of(Look.Theme[role]), Of(Look.Theme[Role.Selection]));
        var field = text with { Style = text.Style | TextStyle.Underline };
        return new()
        {
            Normal = text, Focus = selected, Active = selected, Highlight = selected, HotNormal = Of(Look.Theme[Role.KeyName]),
            HotFocus = selected, HotActive = selected, Editable = field, ReadOnly = text, Disabled = Of(Look.Theme[Role.Faint]),
        };
    }

    // Terminal.Gui numbers the sixteen colours in another order than the terminal.
    static Color Ink(int colour) => colour == Colour.Own ? Color.None
        : Colour.IsPalette(colour, out var index)
            ? new((ColorName16)((index & 8) | ((index & 1) << 2) | (index & 2) | ((index & 4) >> 2)))
            : new(colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF);

    static TextStyle TextOf(CellAttributes attr) =>
        (attr.HasFlag(CellAttributes.Bold) ? TextStyle.Bold : 0) | (attr.HasFlag(CellAttributes.Faint) ? TextStyle.Faint : 0)
        | (attr.HasFlag(CellAttributes.Underline) ? TextStyle.Underline : 0)
        | (attr.HasFlag(CellAttributes.Reverse) ? TextStyle.Reverse : 0);
}
