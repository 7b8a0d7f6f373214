using Terminal.Gui.Input;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>A part of a line that may react to a click.</summary>
/// <param name="X">First column of the part.</param>
/// <param name="Text">The text.</param>
/// <param name="Role">The role, which decides the colours.</param>
/// <param name="Act">The action of a click; null where a click does nothing.</param>
readonly record struct ClickPart(int X, string Text, Role Role, Action? Act = null)
{
    /// <summary>Number of columns after the text that also react to a click.</summary>
    public int Beyond { get; init; }
}

/// <summary>A line of clickable parts: the tabs and the bar of keys.</summary>
/// <param name="looks">Gets the present colours and glyphs.</param>
/// <param name="parts">Gets the parts of the line for a width in columns.</param>
sealed class ClickLine(Func<Looks> looks, Func<int, IEnumerable<ClickPart>> parts) : DrawingView(looks, pane => Draw(pane, parts))
{
    readonly Func<int, IEnumerable<ClickPart>> parts = parts;

    /// <inheritdoc/>
    protected override bool OnMouseEvent(Mouse mouse)
    {
        if ((mouse.Flags & Clicks.Any) == 0 || mouse.Position is not { } at)
        {
            return base.OnMouseEvent(mouse);
        }

        parts(Viewport.Width).FirstOrDefault(p => at.X >= p.X && at.X < p.X + p.Text.Length + p.Beyond).Act?.Invoke();
        return true;
    }

    static void Draw(Pane pane, Func<int, IEnumerable<ClickPart>> parts)
    {
        foreach (var part in parts(pane.Width))
        {
            pane.Put(part.X, 0, part.Text, part.Role);
        }
    }
}
