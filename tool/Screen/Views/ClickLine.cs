using Terminal.Gui.Input;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>A part of a line, and what a click on it does.</summary>
/// <param name="X">Where it begins.</param>
/// <param name="Text">What it says.</param>
/// <param name="Role">How it looks.</param>
/// <param name="Act">What a click does; null where it does nothing.</param>
readonly record struct ClickPart(int X, string Text, Role Role, Action? Act = null)
{
    /// <summary>Columns behind the text that can be clicked, too.</summary>
    public int Beyond { get; init; }
}

/// <summary>A line of parts that can be clicked: the tabs and the bar of keys.</summary>
/// <param name="looks">The looks of the moment.</param>
/// <param name="parts">The parts for a width.</param>
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
