using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// The simulated curve of a what-if, drawn over the measured one in its lane: a star for the simulated curve alone, an at-sign for both.
/// The simulated curve is known only for the time span of the simulation.
/// </summary>
sealed class SimulatedLane
{
    const char Alone = '*';
    const char Both = '@';

    readonly Most?[] columns;

    public SimulatedLane(WhatIfAnswer answer, TimeWindow window, EventTime now)
    {
        columns = new Most?[window.Count];
        var (curve, end) = (answer.Run.Curve, SimulatedSpan.End(answer, now));
        var next = 0;
        WhatIfPoint? held = null;
        for (var x = 0; x < window.Count; x++)
        {
            var (from, to) = (window.TimeOf(window.First + x), window.TimeOf(window.First + x + 1));
            Most? most = held is { } before && from <= end ? Most.Of(before) : null;
            for (; next < curve.Length && curve[next].At < to; next++)
            {
                held = curve[next];
                most = curve[next].At >= from && curve[next].At <= end
                    ? most?.And(curve[next]) ?? Most.Of(curve[next])
                    : from <= end && to > answer.From ? Most.Of(curve[next])
                    : most;
            }

            columns[x] = to <= answer.From ? null : most;
        }
    }

    /// <summary>The range of values that the lanes must show.</summary>
    public LaneRanges Ranges => columns.OfType<Most>().ToList() is { Count: > 0 } known
        ? new(known.Min(c => c.Workers), known.Max(c => c.Workers), known.Max(c => c.QueueLength), 0)
        : LaneRanges.Empty;

    /// <summary>Largest number of simulated worker threads on the screen; null if the screen shows none.</summary>
    public int? MostWorkers => columns.Max(c => c?.Workers);

    public void DrawWorkers(Pane plot, Fold fold, ThreadScale scale)
    {
        var last = -1;
        for (var x = 0; x < columns.Length; x++)
        {
            if (columns[x] is not { } column)
            {
                last = -1;
                continue;
            }

            var (row, seen) = (scale.RowOf(column.Workers), fold.Columns[x].Workers);
            for (var y = Math.Min(row, last < 0 ? row : last); y <= Math.Max(row, last); y++)
            {
                var both = seen.IsKnown && y >= scale.RowOf(seen.Min) && y <= scale.RowOf(seen.Max);
                plot.Put(x, plot.Height - 1 - y, both ? Both : Alone, Role.Title);
            }

            last = row;
        }
    }

    public void DrawQueueLength(Pane plot, Fold fold, double ceiling)
    {
        for (var x = 0; x < columns.Length; x++)
        {
            if (columns[x] is { } column)
            {
                var (row, seen) = (RowOf(column.QueueLength), fold.Columns[x].QueueLength);
                plot.Put(x, plot.Height - 1 - row, seen >= 0 && RowOf(seen) == row ? Both : Alone, Role.Title);
            }
        }

        int RowOf(long value) => Math.Clamp((int)Math.Ceiling(value / ceiling * plot.Height) - 1, 0, plot.Height - 1);
    }

    /// <summary>The simulated maxima within one column.</summary>
    readonly record struct Most(int Workers, long QueueLength)
    {
        public static Most Of(WhatIfPoint point) => new(point.Workers, point.QueueLength);

        public Most And(WhatIfPoint point) => new(Math.Max(Workers, point.Workers), Math.Max(QueueLength, point.QueueLength));
    }
}
