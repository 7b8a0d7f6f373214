using System.Text;
using Terminal.Gui.ViewBase;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

/// <summary>A view that only draws, without subviews.</summary>
/// <param name="looks">Gets the present colours and glyphs.</param>
/// <param name="draw">Draws on a pane of the view's size.</param>
class DrawingView(Func<Looks> looks, Action<Pane> draw) : View
{
    /// <summary>The present theme and glyphs.</summary>
    protected Look Look => looks().Look;

    /// <inheritdoc/>
    protected override bool OnClearingViewport() => true; // drawing sets every cell

    /// <inheritdoc/>
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
