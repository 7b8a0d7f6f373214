using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Render.Shared;
using Tpwatch.Reports.Items;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Lanes;

/// <summary>HTTP requests under way, and the slowest that ended in the last second.</summary>
static class RequestLane
{
    const double LeastUnderWay = 10;

    /// <summary>What is older than this is not now, milliseconds.</summary>
    const double Recent = 2500;

    public static void Draw(LaneBox lane, RequestTimes requests, TimeWindow window, EventTime now)
    {
        var columns = Columns(requests.OverTime, window);
        var most = columns.Max();
        var area = new AreaLane(AreaLane.Nice(most, LeastUnderWay), Role.Queue, _ => 0);
        for (var x = 0; x < columns.Length; x++)
        {
            if (columns[x] > 0)
            {
                area.DrawColumn(lane.Plot, x, columns[x]);
            }
        }

        lane.Note(lane.Plot.Height - 1, Note(requests, now), Role.Queue);
    }

    static string Note(RequestTimes requests, EventTime now)
    {
        if (now.MsSince(requests.Watched.To) > Recent)
        {
            return "not watched";
        }

        var slowest = requests.OverTime.Where(p => p.Ended > 0 && now.MsSince(p.Span.To) < Recent / 2).Select(p => p.SlowestMs)
            .DefaultIfEmpty().Max();
        return slowest > 0 ? $"{Format.Brief(requests.UnderWay)} max {LevelTexts.Age(slowest)}" : $"{Format.Brief(requests.UnderWay)} now";
    }

    // The most under way in each column's time; a second may be many columns, or a column many seconds.
    static double[] Columns(ImmutableArray<RequestPoint> points, TimeWindow window)
    {
        var columns = new double[(int)(window.End - window.First)];
        foreach (var point in points)
        {
            var (from, to) = (window.ColumnOf(point.Span.From) - window.First, window.ColumnOf(point.Span.To) - window.First);
            for (var x = Math.Max(0, from); x < Math.Min(columns.Length, Math.Max(to, from + 1)); x++)
            {
                columns[x] = Math.Max(columns[x], point.UnderWay);
            }
        }

        return columns;
    }
}
