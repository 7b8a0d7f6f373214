using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// The row below the marks: the time measured between mark A and mark B, else the selected mark in words, else a legend of the marks.
/// </summary>
static class CursorRow
{
    public static void Draw(Pane row, Scene scene, TimeWindow window, Fold fold)
    {
        if (scene.State.Measure is { } measure)
        {
            Measured(new LaneBox(row, ""), measure, window);
            return;
        }

        var text = (scene.State.Selected, scene.Selected) switch
        {
            (null, _) => TextFit.Fit(MarkWords.Legend(scene, window, fold, row.Glyphs), row.Width - 2),
            (_, { } delay) => TextFit.Fit(MarkWords.Parts(delay, scene), row.Width - 2),
            _ => FormattableString.Invariant($"Event #{scene.State.Selected} is no longer kept; f shows the newest"),
        };
        row.Put(1, 0, text, scene.State.Selected is null ? Role.Faint : Role.Title);
    }

    static void Measured(LaneBox lane, Measure measure, TimeWindow window)
    {
        Mark(lane, measure.A, 'A', window);
        Mark(lane, measure.B, 'B', window);
        if (measure.B is { } b)
        {
            lane.Note(0, $"AB {Format.Duration(Math.Abs(b.MsSince(measure.A)))}", Role.Title);
        }
    }

    static void Mark(LaneBox lane, EventTime? at, char letter, TimeWindow window)
    {
        if (at is { } moment && window.Shows(moment))
        {
            lane.Plot.Put(window.XOf(moment), 0, letter, Role.Title);
        }
    }
}
