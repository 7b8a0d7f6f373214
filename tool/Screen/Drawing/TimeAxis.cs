using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// The axis below all lanes: a tick every twelve columns. While the screen follows the newest data, labels count back from now and keep
/// their place. Otherwise the labels show the time since the capture's start and move with their columns.
/// </summary>
static class TimeAxis
{
    /// <summary>Number of columns between labels: twelve are 0.6 s to 12 min, round at every zoom, and wide enough for a label.</summary>
    public const int TickEvery = 12;

    /// <param name="pane">A pane as wide as the screen: two rows for ticks and labels, or one row with labels between the ticks.</param>
    /// <param name="scene">The scene on the screen.</param>
    public static void Draw(Pane pane, Scene scene)
    {
        var columns = LaneBox.PlotColumns(pane.Width);
        var left = pane.Width - LaneBox.RightGutter - columns - 1;
        var glyphs = pane.Glyphs;
        pane.Put(left, 0, glyphs.Corner, Role.Faint);
        pane.Put(left + 1 + columns, 0, glyphs.CornerRight, Role.Faint);
        pane.Columns(left + 1, columns).Fill(0, glyphs.Rule, Role.Faint);
        DrawCoarse(pane.Columns(left + 1, columns), scene, labelled: pane.Height == 1);
        var right = left + 3 + columns;
        foreach (var (x, label) in Ticks(scene.Window(columns), scene.State.Follows, scene.Newest))
        {
            pane.Put(left + 1 + x, 0, glyphs.Tick, Role.Faint);
            // A blank separates the last label from the text at the right.
            var end = pane.Height > 1 ? Math.Min(left + 2 + x + label.Length / 2, right - 1) : left + 1 + x;
            pane.PutEndingAt(end, pane.Height - 1, label, Role.Faint);
        }

        pane.Put(right, pane.Height - 1, Where(scene, columns), Role.Text);
        if (pane.Height > 1)
        {
            pane.Put(right, 0, $"{Format.Seconds(scene.State.ScaleMs)}/col", Role.Faint);
        }
    }

    // If the screen does not follow the newest data, shows the age of the right edge, or the key that leads to the newest data.
    static string Where(Scene scene, int columns) => scene.State switch
    {
        { Freeze: not null } => "frozen",
        { Follows: true } => scene.IsOver ? "ended" : "follow",
        _ when scene.Timeline.Now.MsSince(scene.Window(columns).To) is >= 1000 and var ago => $"{LevelTexts.Age(ago)} ago",
        _ => scene.IsOver ? "f: the end" : "f: follow",
    };

    // Where only one bucket per second is still kept, the axis is dotted; a word marks where detail begins.
    static void DrawCoarse(Pane foot, Scene scene, bool labelled)
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

        // The word is placed to the right or left of the edge of the detailed data, where the word overlaps no tick and no label.
        (int X, string Label)[] ticks = [.. Ticks(window, scene.State.Follows, scene.Newest)];
        foreach (var x in new[] { detail, detail - DetailWord.Length })
        {
            if (first < detail && x > 0 && x + DetailWord.Length <= foot.Width
                && !ticks.Any(t => t.X >= x && t.X - (labelled ? t.Label.Length : 0) < x + DetailWord.Length))
            {
                foot.Put(x, 0, DetailWord, Role.Text);
                return;
            }
        }
    }

    /// <summary>Word at the edge of the detailed data; to the left of the edge, one bucket per second is kept.</summary>
    const string DetailWord = "detail";

    // If all ticks are whole minutes, labels are in minutes.
    static string Back(double ms, int scaleMs) => (double)scaleMs * TickEvery % 60_000 == 0
        ? FormattableString.Invariant($"{ms / 60_000:0}m") : Format.Seconds(ms);

    /// <summary>Returns the columns with a tick, each with its label, from left to right.</summary>
    public static IEnumerable<(int X, string Label)> Ticks(TimeWindow window, bool fromNow, string newest = "now")
    {
        for (var x = 0; x < window.Count; x++)
        {
            var back = window.Count - 1 - x;
            if (fromNow && back % TickEvery == 0)
            {
                yield return (x, back == 0 ? newest : "-" + Back((double)back * window.ScaleMs, window.ScaleMs));
            }
            else if (!fromNow && window.First + x >= 0 && (window.First + x) % TickEvery == 0)
            {
                var ms = (window.First + x) * (double)window.ScaleMs;
                yield return (x, Format.Clock(ms, tenths: window.ScaleMs * TickEvery % 1000 != 0));
            }
        }
    }
}
