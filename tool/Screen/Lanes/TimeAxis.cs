using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Lanes;

/// <summary>
/// The foot of all lanes: a tick every twelve columns. Following, the labels count back from now and stand still; else they say the time
/// since the capture's start and stay with their columns.
/// </summary>
static class TimeAxis
{
    /// <summary>Twelve columns are 0.6 s to 12 min: round at every zoom, and wide enough for a label.</summary>
    public const int TickEvery = 12;

    /// <param name="pane">The width of the screen, two rows: ticks and labels; with one the labels stand between the ticks.</param>
    /// <param name="scene">What is shown.</param>
    public static void Draw(Pane pane, Scene scene)
    {
        var columns = LaneBox.PlotColumns(pane.Width);
        var left = pane.Width - LaneBox.RightGutter - columns - 1;
        var glyphs = pane.Glyphs;
        pane.Put(left, 0, glyphs.Corner, Role.Faint);
        pane.Put(left + 1 + columns, 0, glyphs.CornerRight, Role.Faint);
        pane.Columns(left + 1, columns).Fill(0, glyphs.Rule, Role.Faint);
        DrawCoarse(pane.Columns(left + 1, columns), scene);
        foreach (var (x, label) in Ticks(scene.Window(columns), scene.State.Follows))
        {
            pane.Put(left + 1 + x, 0, glyphs.Tick, Role.Faint);
            pane.PutEndingAt(pane.Height > 1 ? left + 2 + x + label.Length / 2 : left + 1 + x, pane.Height - 1, label, Role.Faint);
        }

        var right = left + 3 + columns;
        pane.Put(right, pane.Height - 1, Where(scene, columns), Role.Text);
        if (pane.Height > 1)
        {
            pane.Put(right, 0, $"{Format.Seconds(scene.State.ScaleMs)}/col", Role.Faint);
        }
    }

    // What is on the screen need not be the newest: then the key that leads there is named.
    static string Where(Scene scene, int columns) => scene.State switch
    {
        { Freeze: not null } => "frozen",
        { Follows: true } => "follow",
        _ when scene.Timeline.Now.MsSince(scene.Window(columns).To) is >= 1000 and var behind => $"-{Format.Clock(behind)}",
        _ => "f: follow",
    };

    // Where nothing finer than seconds is kept any more the foot is dotted, and says so where detail begins.
    static void DrawCoarse(Pane foot, Scene scene)
    {
        var buckets = scene.Timeline.Buckets;
        if (buckets.DetailIndex <= buckets.FirstIndex)
        {
            return;
        }

        var window = scene.Window(foot.Width);
        var (first, detail) = (window.XOf(buckets.TimeOf(buckets.FirstIndex)), window.XOf(buckets.TimeOf(buckets.DetailIndex)));
        for (var x = Math.Max(0, first); x < detail; x++)
        {
            foot.Put(x, 0, foot.Glyphs.Calm, Role.Faint);
        }

        if (detail > CoarseWord.Length)
        {
            foot.PutEndingAt(detail, 0, CoarseWord, Role.Text);
        }
    }

    /// <summary>What is left of it holds a bucket a second.</summary>
    const string CoarseWord = "<1s";

    /// <summary>Columns with a tick and what stands beneath, from left to right.</summary>
    public static IEnumerable<(int X, string Label)> Ticks(TimeWindow window, bool fromNow)
    {
        for (var x = 0; x < window.Count; x++)
        {
            var back = window.Count - 1 - x;
            if (fromNow && back % TickEvery == 0)
            {
                yield return (x, back == 0 ? "now" : "-" + Format.Seconds((double)back * window.ScaleMs));
            }
            else if (!fromNow && window.First + x >= 0 && (window.First + x) % TickEvery == 0)
            {
                var ms = (window.First + x) * (double)window.ScaleMs;
                yield return (x, Format.Clock(ms, tenths: window.ScaleMs * TickEvery % 1000 != 0));
            }
        }
    }
}
