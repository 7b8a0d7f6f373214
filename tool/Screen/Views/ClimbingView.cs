using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Lanes;
using Tpwatch.Screen.Lists;
using Tpwatch.Screen.State;
using Tpwatch.Screen.Widgets;

namespace Tpwatch.Screen.Views;

/// <summary>What hill climbing did: items per second above, the target beneath, its moves, and whether they harm.</summary>
sealed class ClimbingView : IView
{
    const double LeastDone = 10;

    /// <summary>Summary, decisions, two rows of axis, title, and three rows of reading.</summary>
    const int Fixed = 8;

    const int MostLane = 10;

    public ViewName Name => ViewName.Climbing;
    public string Title => "Climbing";
    public string Brief => "Climb";

    public string Count(Scene scene) => "";

    public void Draw(Pane pane, Scene scene)
    {
        var reading = ClimbReading.Of(scene);
        pane.Put(1, 0, TextFit.Fit(reading.Summary, pane.Width - 2));
        var room = Math.Max(2, pane.Height - Fixed);
        var wanted = Math.Max(1, GapRows.Climbing(scene).Length + 1);
        var lane = Math.Clamp((room - Math.Min(wanted, room / 3)) / 2, 1, MostLane);
        var list = Math.Max(0, room - 2 * lane);
        DrawLanes(pane.Rows(1, 2 * lane + 3), scene, lane);
        var y = 4 + 2 * lane;
        TextBlock.Title(pane.Rows(y, 1), "adjustments by hill climbing");
        pane.PutEndingAt(pane.Width - 1, y, DrawMoves(pane.Rows(y + 1, list), scene), Role.Faint);
        TextBlock.Draw(pane.Rows(y + 1 + list, pane.Height - y - 1 - list),
            [.. TextFit.Wrap(reading.Sentence, pane.Width - 2, 3).Select(l => new TextLine(l))], 0);
    }

    static void DrawLanes(Pane pane, Scene scene, int lane)
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

    static string DrawMoves(Pane pane, Scene scene)
    {
        var rows = GapRows.Climbing(scene);
        if (rows.IsEmpty)
        {
            TextBlock.Draw(pane, [.. TextFit.Wrap("None in this capture.", pane.Width - 2, 2).Select(l => new TextLine(l, Role.Faint))], 0);
            return "";
        }

        return new Table<Gap>(pane, Columns(scene)).Draw(rows, GapRows.IndexOf(rows, scene));
    }

    static IEnumerable<TableColumn<Gap>> Columns(Scene scene) =>
    [
        new("#", 4, 8, g => Format.Brief(g.Number)) { Right = true },
        new("time", 8, 9, g => scene.Time(g.End)) { Right = true },
        new("reason", 14, 7, g => $"{GapMark.Of(g).Letter} {GapMark.Of(g).Name}") { Role = g => GapMark.Of(g).Role },
        new("target", 7, 6, GapTable.Goal) { Right = true },
        new("item/s", 12, 5, g => ClimbReading.Rates(scene, g)),
        new("meaning", 0, 4, g => ClimbReading.Meaning(scene, g)),
    ];
}
