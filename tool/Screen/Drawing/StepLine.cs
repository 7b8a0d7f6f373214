using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>The lane of workers where dots are not to be had: one row a value, with corners where it changes.</summary>
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

        if (column.Goal >= 0)
        {
            plot.Put(x, plot.Height - 1 - scale.RowOf(column.Goal), plot.Glyphs.StepRow, Role.Goal);
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
