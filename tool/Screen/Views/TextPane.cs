using System.Drawing;
using Terminal.Gui.Input;
using Terminal.Gui.ViewBase;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

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
    /// <param name="what">The subject of the text; another subject scrolls back to the top.</param>
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

    /// <inheritdoc/>
    protected override bool OnClearingViewport() => true;

    /// <inheritdoc/>
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
