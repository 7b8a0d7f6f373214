using Tpwatch.Screen.Drawing;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>What hill climbing did: items per second above, the target below, and its moves.</summary>
static class ClimbingLanes
{
    const double LeastDone = 10;

    /// <summary>Rows of a lane that tell no more than fewer would.</summary>
    public const int MostLane = 10;

    /// <summary>Draws the lanes, each of so many rows, with their axis.</summary>
    public static void Draw(Pane pane, Scene scene, int lane)
    {
        var window = scene.Window(LaneBox.PlotColumns(pane.Width));
        var fold = Fold.Of(scene.Timeline.Buckets, window);
        var ranges = LaneRanges.Of(fold).And(scene.State.Held);
        Done(new(pane.Rows(0, lane), "item/s"), scene, fold, ranges);
        Goal(new(pane.Rows(lane, lane), "target"), scene, fold, ranges);
        var moves = new LaneBox(pane.Rows(2 * lane, 1), "adjust");
        MarkerLane.DrawReasons(moves.Plot, scene.Events, window);
        if (scene.Selected is { } gap && window.Shows(gap.End))
        {
            moves.Plot.Put(window.XOf(gap.End), 0, GapMark.Of(gap).Letter, Role.Selection);
            moves.Note(0, FormattableString.Invariant($"sel #{gap.Number}"));
        }

        TimeAxis.Draw(pane.Rows(2 * lane + 1, 2), scene);
    }

    static void Done(LaneBox lane, Scene scene, Fold fold, LaneRanges ranges)
    {
        var ceiling = AreaLane.Nice(ranges.Done, LeastDone);
        lane.Ends(Format.Brief(ceiling), "0");
        new AreaLane(ceiling, Role.Done, c => c.Done).Draw(lane.Plot, fold);
        lane.Hatch(fold);
        lane.Note(lane.Plot.Height - 1, LevelTexts.Newest(scene, LevelTexts.Done(scene.Timeline.Levels)), Role.Done);
    }

    static void Goal(LaneBox lane, Scene scene, Fold fold, LaneRanges ranges)
    {
        var scale = ThreadScale.For(ranges, lane.Plot.Height);
        if (ranges.ThreadsMax >= 0)
        {
            lane.Ends(Format.Brief(scale.TopOf(lane.Plot.Height - 1)), Format.Brief(scale.Base));
        }

        LineLane.Draw(lane.Plot, fold, scale, null);
        lane.Hatch(fold);
        lane.Note(0, LevelTexts.Newest(scene, scene.Timeline.Levels.Goal), Role.Goal);
        if (scale.Base > 0 && lane.Plot.Height > 1)
        {
            var from = $">={Format.Brief(scale.Base)}";
            lane.Note(lane.Plot.Height - 1, $"scale {from}".Length <= LaneBox.NoteColumns ? $"scale {from}" : from, Role.Faint);
        }
    }

    /// <summary>The moves as rows.</summary>
    public static IEnumerable<TableColumn<Gap>> Columns(Scene scene) =>
    [
        new("#", 4, 8, g => Format.Brief(g.Number)) { Right = true, Rank = g => g.Number },
        new("time", 8, 9, g => scene.Time(g.End)) { Right = true, Rank = g => g.End.MsSince(scene.Timeline.Start) },
        new("reason", 14, 7, g => $"{GapMark.Of(g).Letter} {GapMark.Of(g).Name}") { Role = g => GapMark.Of(g).Role },
        new("target", 7, 6, GapTable.Goal) { Right = true },
        new("item/s", 12, 5, g => ClimbReading.Rates(scene, g)),
        new("meaning", 0, 4, g => ClimbReading.Meaning(scene, g)),
    ];
}
