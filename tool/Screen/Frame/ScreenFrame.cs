using Tpwatch.Screen.Bars;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;
using Tpwatch.Screen.Views;
using Tpwatch.Screen.Widgets;

namespace Tpwatch.Screen.Frame;

/// <summary>What is around every view: header, tabs, status line, hints; and what takes the place of all when it cannot be shown.</summary>
static class ScreenFrame
{
    public const int MinWidth = 60;
    public const int MinHeight = 16;

    /// <summary>A pure function of what is known, what was chosen, and the size.</summary>
    public static CellGrid Of(Scene scene, Look look, int width, int height)
    {
        var grid = new CellGrid(width, height);
        var screen = new Pane(grid, look);
        if (width < MinWidth || height < MinHeight)
        {
            Notices.TooSmall(screen, scene);
            return grid;
        }

        HeaderLine.Draw(screen.Rows(0, 1), scene);
        TabsLine.Draw(screen.Rows(1, 1), scene);
        StatusLine.Draw(screen.Rows(2, 1), scene);
        var content = screen.Rows(3, ContentRows(scene, width, height));
        if (scene.State.Help)
        {
            HelpOverlay.Draw(content, scene.State);
        }
        else if (scene.State.Info != InfoText.None)
        {
            InfoOverlay.Draw(content, scene);
        }
        else if (scene.State.Menu is { } menu)
        {
            MenuPanel.Draw(content, menu);
        }
        else
        {
            AllViews.Of(scene.State.View).Draw(content, scene);
        }

        FootLine.Draw(screen, scene);
        return grid;
    }

    // A long sentence at the bottom takes rows that a view should know of, or it covers the end of what is to be done.
    static int ContentRows(Scene scene, int width, int height) =>
        Math.Max(height - 3 - FootLine.Rows(scene.State, width), Math.Min(height - 4, MinHeight - 4));

    /// <summary>Attached, and nothing known yet.</summary>
    public static CellGrid Waiting(Look look, int width, int height)
    {
        var grid = new CellGrid(width, height);
        Notices.Waiting(new Pane(grid, look));
        return grid;
    }
}
