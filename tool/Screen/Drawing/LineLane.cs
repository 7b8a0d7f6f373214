using System.Text;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// Draws worker threads over time as a solid line, the target thread count dashed, MinThreads dotted. Minimum and maximum of a column are
/// both drawn, so that no spike is lost. The worker threads' line determines the colour where lines meet.
/// </summary>
static class LineLane
{
    /// <param name="plot">The plot to draw on.</param>
    /// <param name="fold">The values of the columns.</param>
    /// <param name="scale">Maps thread counts to rows.</param>
    /// <param name="min">MinThreads, if known.</param>
    public static void Draw(Pane plot, Fold fold, ThreadScale scale, int? min)
    {
        UnknownMarks.Draw(plot, fold, column => column.Workers.IsKnown || column.TargetThreads >= 0);
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
            DrawTargetThreads(canvas, x, fold, scale);
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

    // Draws every second column, counted from the capture's start, so that dashes keep their place when the picture scrolls.
    static void DrawTargetThreads(DotCanvas canvas, int x, Fold fold, ThreadScale scale)
    {
        var column = fold.Columns[x];
        if (column.TargetThreads >= 0 && !column.Lost && (fold.First + x) % 2 == 0)
        {
            canvas.Set(x * 2, scale.DotOf(column.TargetThreads), Role.TargetThreads);
            canvas.Set(x * 2 + 1, scale.DotOf(column.TargetThreads), Role.TargetThreads);
        }
    }
}

/// <summary>A canvas with eight Braille dots per cell, two across and four up. The first dot drawn gives the cell its colour.</summary>
sealed class DotCanvas(int width, int height)
{
    const int BrailleBlank = 0x2800;

    /// <summary>Bits of the Braille dots in the two columns of a cell, from the bottom up.</summary>
    static readonly int[][] Bits = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]];

    readonly (int Dots, Role Role)[] cells = new (int, Role)[width * height];

    public int Rows => height * 4;

    /// <summary>Sets the dot at a position counted from the left and from the bottom.</summary>
    public void Set(int x, int y, Role role)
    {
        var (column, row) = (x / 2, height - 1 - y / 4);
        if (x < 0 || y < 0 || column >= width || row < 0)
        {
            return;
        }

        ref var cell = ref cells[row * width + column];
        cell = (cell.Dots | Bits[x % 2][y % 4], cell.Dots == 0 ? role : cell.Role);
    }

    /// <summary>Sets all dots between two heights.</summary>
    public void Rise(int x, int from, int to, Role role)
    {
        for (var y = Math.Max(0, Math.Min(from, to)); y <= Math.Min(Rows - 1, Math.Max(from, to)); y++)
        {
            Set(x, y, role);
        }
    }

    public void PutOn(Pane plot)
    {
        for (var i = 0; i < cells.Length; i++)
        {
            if (cells[i].Dots != 0)
            {
                plot.Put(i % width, i / width, new Rune(BrailleBlank + cells[i].Dots), cells[i].Role);
            }
        }
    }
}

/// <summary>Draws the lane of worker threads without Braille dots: one row per value, with corners at changes.</summary>
static class StepLine
{
    public static void Draw(Pane plot, Fold fold, ThreadScale scale, int? min)
    {
        for (var x = 0; x < fold.Columns.Length; x++)
        {
            DrawBehind(plot, x, fold, scale, min);
        }

        var last = -1;
        for (var x = 0; x < fold.Columns.Length; x++)
        {
            var workers = fold.Columns[x].Lost ? Extent.Unknown : fold.Columns[x].Workers;
            last = workers.IsKnown ? DrawColumn(plot, x, workers, last, scale) : -1;
        }
    }

    static void DrawBehind(Pane plot, int x, Fold fold, ThreadScale scale, int? min)
    {
        var column = fold.Columns[x];
        if ((fold.First + x) % 2 != 0 || column.Lost || !column.Seen)
        {
            return;
        }

        if (min is { } floor)
        {
            plot.Put(x, plot.Height - 1 - scale.RowOf(floor), '.', Role.Min);
        }

        if (column.TargetThreads >= 0)
        {
            plot.Put(x, plot.Height - 1 - scale.RowOf(column.TargetThreads), plot.Glyphs.StepRow, Role.TargetThreads);
        }
    }

    static int DrawColumn(Pane plot, int x, Extent workers, int last, ThreadScale scale)
    {
        var (low, high, now) = (scale.RowOf(workers.Min), scale.RowOf(workers.Max), scale.RowOf(workers.Last));
        var before = last < 0 ? now : last;
        for (var row = Math.Min(low, before); row <= Math.Max(high, before); row++)
        {
            plot.Put(x, plot.Height - 1 - row, plot.Glyphs.StepColumn, Role.Threads);
        }

        var corners = plot.Glyphs.StepCorners;
        var (leaving, arriving) = before < now ? (corners[0], corners[1]) : before > now ? (corners[2], corners[3])
            : (plot.Glyphs.StepRow, plot.Glyphs.StepRow);
        plot.Put(x, plot.Height - 1 - before, leaving, Role.Threads);
        plot.Put(x, plot.Height - 1 - now, arriving, Role.Threads);
        return now;
    }
}
