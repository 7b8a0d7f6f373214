using Tpwatch.Screen.Drawing;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>Queue delay over time on a logarithmic scale, and the items that waited longest with what freed them.</summary>
static class ItemPanel
{
    /// <summary>A row a decade, from a tenth of a millisecond to ten seconds.</summary>
    static readonly string[] Decades = ["1 s+", "100 ms", "10 ms", "1 ms", "0.1 ms"];

    const double LeastMs = 0.1;

    /// <summary>Of fewer items the 99th percentile is the longest.</summary>
    const int EnoughForP99 = 100;

    /// <summary>Title, a row a decade, decisions, and two rows of axis.</summary>
    public const int Rows = 9;

    /// <summary>Queue time over time.</summary>
    public static void Draw(Pane pane, Scene scene, ItemTimes items)
    {
        TextBlock.Title(pane.Rows(0, 1), "queue time: p99 filled, p50 dashed, each row 10 times the one below");
        Lane(pane.Rows(1, Decades.Length), scene, items);
        MarkerLane.DrawReasons(
            new LaneBox(pane.Rows(1 + Decades.Length, 1), "inject").Plot, scene.Events, scene.Window(LaneBox.PlotColumns(pane.Width)));
        TimeAxis.Draw(pane.Rows(2 + Decades.Length, 2), scene);
    }

    /// <summary>What stands above the slowest items.</summary>
    public static string Title(Scene scene, ItemTimes items) => Slowest(items) + Now(scene.Report.Forecast?.StartDelayOfNewItem);

    static string Slowest(ItemTimes items) => items.Waiting == 0
        ? "slowest items"
        : $"slowest items; {Format.Plural(items.Waiting, "item")} still "
            + $"queued{(items.OldestWaitMs is { } oldest ? $", the oldest for {Format.Duration(oldest)}" : "")}";

    static string Now(StartDelay? delay) => delay is not { IsKnown: true } ? ""
        : "; an item queued now starts after "
            + $"{(delay.EstimateMs is { } likely ? Format.About(likely) : "at least " + Format.Duration(delay.MinMs))}";

    static void Lane(Pane pane, Scene scene, ItemTimes items)
    {
        var box = new LaneBox(pane, "queue");
        for (var row = 0; row < Decades.Length; row++)
        {
            box.Label(row, Decades[row]);
        }

        var window = scene.Window(LaneBox.PlotColumns(pane.Width));
        foreach (var point in items.OverTime)
        {
            var (from, to) = (Math.Max(0, window.XOf(point.Span.From)), Math.Min(window.Count - 1, window.XOf(point.Span.To)));
            for (var x = from; x <= to && window.Shows(window.TimeOf(window.First + x)); x++)
            {
                Put(box.Plot, x, point.P50Ms, pane.Glyphs.StepRow, Role.Threads);
                Put(box.Plot, x, point.P99Ms, Level(pane.Glyphs, point.P99Ms), Role.Queue);
            }
        }

        if (items.OverTime is [.., var last])
        {
            var few = last.Count < EnoughForP99;
            box.Note(0, few ? "latest max" : "latest p99");
            box.Note(1, Format.Duration(few ? last.MaxMs : last.P99Ms), Role.Queue);
        }
    }

    static double Height(double ms) => Math.Clamp(Math.Log10(Math.Max(LeastMs, ms) / LeastMs), 0, Decades.Length - 0.001);

    static char Level(GlyphSet glyphs, double ms) => glyphs.Ramp[(int)(Height(ms) % 1 * glyphs.Ramp.Length)];

    static void Put(Pane plot, int x, double ms, char mark, Role role) => plot.Put(x, Decades.Length - 1 - (int)Height(ms), mark, role);

    /// <summary>The slowest items as rows.</summary>
    public static IEnumerable<TableColumn<SlowItem>> Columns(Scene scene) =>
    [
        new("waited", 9, 20, s => Format.Duration(s.WaitMs)) { Right = true, Role = _ => Role.Starvation, Rank = s => s.WaitMs },
        new("queued at", 10, 12, s => Format.Clock(s.Queued.MsSince(scene.Timeline.Start), tenths: true))
        {
            Right = true, Rank = s => s.Queued.MsSince(scene.Timeline.Start),
        },
        new("ran for", 9, 15, s => s.RunMs is { } ms ? Format.Duration(ms) : "runs") { Right = true, Rank = s => s.RunMs ?? double.NaN },
        new("thread", 8, 10, s => FormattableString.Invariant($"{s.ThreadId}")) { Right = true, Rank = s => s.ThreadId },
        new("thread from", 20, 18, s => s.FreedBy is { } gap ? FormattableString.Invariant($"injection #{gap}") : "a free thread"),
        new("item", 12, 5, s => FormattableString.Invariant($"{s.Id:x}")),
    ];
}
