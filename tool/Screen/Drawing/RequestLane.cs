using Tpwatch.Reports;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>Draws HTTP requests under way; a second row also shows the duration of the slowest request that ended recently.</summary>
static class RequestLane
{
    const double LeastUnderWay = 10;

    /// <summary>Maximum age of data that counts as current, milliseconds.</summary>
    const double Recent = 2500;

    public static void Draw(LaneBox lane, RequestTimes requests, TimeWindow window, Scene scene)
    {
        var now = scene.Timeline.Now;
        var columns = Columns(requests.OverTime, window);
        var most = columns.Max();
        var area = new AreaLane(AreaLane.Nice(most, LeastUnderWay), Role.Queue, _ => 0);
        lane.Scale(Format.Brief(area.Ceiling));
        for (var x = 0; x < columns.Length; x++)
        {
            if (columns[x] > 0)
            {
                area.DrawColumn(lane.Plot, x, columns[x]);
            }
        }

        lane.Note(lane.Plot.Height - 1, IsNow(requests, now) ? Known(scene, requests.UnderWay) : "unwatched", Role.Queue);
        if (lane.Plot.Height > 1)
        {
            lane.Note(0, Slowest(requests, now) is > 0 and { } slowest ? $"worst {LevelTexts.Age(slowest)}" : "");
        }
    }

    // A request that began before the watch is seen only when the request ends, so the number is a lower bound.
    static string Known(Scene scene, int underWay) =>
        underWay == 0 ? "not known" : LevelTexts.Newest(scene, $">={Format.Brief(underWay)}");

    static bool IsNow(RequestTimes requests, EventTime now) => now.MsSince(requests.Watched.To) <= Recent;

    static double Slowest(RequestTimes requests, EventTime now) => requests.OverTime
        .Where(p => p.Ended > 0 && now.MsSince(p.Span.To) < Recent / 2).Select(p => p.SlowestMs).DefaultIfEmpty().Max();

    // Returns the largest number of requests under way in each column; a second may span many columns, or a column many seconds.
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
