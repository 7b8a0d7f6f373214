using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// Workers over time as a line, the goal dashed, min dotted. Fewest and most of a column are both drawn, so that no spike is lost. Where
/// lines meet, the workers' line has the colour.
/// </summary>
static class LineLane
{
    /// <param name="plot">Where to draw.</param>
    /// <param name="fold">The columns.</param>
    /// <param name="scale">The rows.</param>
    /// <param name="min">Min workers, if known.</param>
    public static void Draw(Pane plot, Fold fold, ThreadScale scale, int? min)
    {
        UnknownMarks.Draw(plot, fold, column => column.Workers.IsKnown || column.Goal >= 0);
        if (plot.Glyphs.Lines == LineStyle.Dots)
        {
            DrawDots(plot, fold, scale, min);
        }
        else
        {
            StepLine.Draw(plot, fold, scale, min);
        }
    }

    static void DrawDots(Pane plot, Fold fold, ThreadScale scale, int? min)
    {
        var canvas = new DotCanvas(plot.Width, plot.Height);
        var last = -1;
        for (var x = 0; x < fold.Columns.Length; x++)
        {
            var column = fold.Columns[x];
            var early = column.Early.IsKnown ? column.Early : column.Late;
            last = DrawHalf(canvas, x * 2, column.Lost ? Extent.Unknown : early, scale, last);
            last = DrawHalf(canvas, x * 2 + 1, column.Lost ? Extent.Unknown : column.Late.IsKnown ? column.Late : early, scale, last);
        }

        for (var x = 0; x < fold.Columns.Length; x++)
        {
            DrawGoal(canvas, x, fold, scale);
            if (min is { } floor && fold.Columns[x].Seen && (fold.First + x) % 2 == 0)
            {
                canvas.Set(x * 2, scale.DotOf(floor), Role.Min);
            }
        }

        canvas.PutOn(plot);
    }

    static int DrawHalf(DotCanvas canvas, int x, Extent workers, ThreadScale scale, int last)
    {
        if (!workers.IsKnown)
        {
            return -1;
        }

        var (low, high) = (scale.DotOf(workers.Min), scale.DotOf(workers.Max));
        canvas.Rise(x, last < 0 ? low : Math.Min(low, last), last < 0 ? high : Math.Max(high, last), Role.Threads);
        return scale.DotOf(workers.Last);
    }

    // Every other column, counted from the capture's start: dashes that do not crawl when the picture scrolls.
    static void DrawGoal(DotCanvas canvas, int x, Fold fold, ThreadScale scale)
    {
        var column = fold.Columns[x];
        if (column.Goal >= 0 && !column.Lost && (fold.First + x) % 2 == 0)
        {
            canvas.Set(x * 2, scale.DotOf(column.Goal), Role.Goal);
            canvas.Set(x * 2 + 1, scale.DotOf(column.Goal), Role.Goal);
        }
    }
}
