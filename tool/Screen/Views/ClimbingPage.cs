using Terminal.Gui.ViewBase;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

/// <summary>What hill climbing did: items per second above, the target below, its moves, and whether they harm.</summary>
sealed class ClimbingPage : Page
{
    /// <summary>Summary, decisions, two rows of axis, title, and three rows of reading.</summary>
    const int Fixed = 8;

    const int ReadingRows = 3;

    readonly DrawingView summary;
    readonly LanePane lanes;
    readonly DrawingView title;
    readonly RowTable<Gap> table;
    readonly TextPane reading;
    int laneRows = 1;

    public ClimbingPage(ScreenModel model, Func<Looks> looks)
        : base(model, looks)
    {
        summary = Line((scene, width) => TextFit.Fit(ClimbReading.Of(scene).Summary, width));
        lanes = new(model, looks, (pane, scene) => ClimbingLanes.Draw(pane, scene, laneRows));
        title = TitleRow(_ => "adjustments by hill climbing");
        table = new(looks, () => model.Scene is { } scene ? ClimbingLanes.Columns(scene) : []);
        reading = new(looks);
        table.Chosen += gap => model.Choose(scene => Navigation.Show(scene, model.Columns, gap));
        table.Opened += _ => model.Do(UiAction.OnTimeline);
        Add(summary, lanes, title, table, reading);
    }

    public override ViewName Name => ViewName.Climbing;
    public override string TabName => "Climbing";
    public override string Brief => "Climb";
    public override View Rows => table;

    public override void Take(Scene scene)
    {
        var rows = GapRows.Climbing(scene);
        var (width, room) = (Viewport.Width, Math.Max(2, Viewport.Height - Fixed));
        laneRows = Math.Clamp((room - Math.Min(rows.Length + 1, room / 3)) / 2, 1, ClimbingLanes.MostLane);
        var list = Math.Max(0, room - 2 * laneRows);
        var y = 1 + 2 * laneRows + 3;
        Place(summary, 0, 0, width, 1);
        Place(lanes, 0, 1, width, 2 * laneRows + 3);
        Place(title, 0, y, width, 1);
        Place(table, 0, y + 1, width, rows.IsEmpty ? 0 : list);
        Place(reading, 0, y + 1 + (rows.IsEmpty ? 0 : list), width, ReadingRows + (rows.IsEmpty ? list : 0));
        Layout();
        table.Fill(rows, GapRows.IndexOf(rows, scene) is >= 0 and var at ? rows[at] : null);
        reading.Fill(null, columns => TextFit.Wrap(ClimbReading.Of(scene).Sentence, columns, int.MaxValue)
            .Prepend(rows.IsEmpty ? "None in this capture." : null).OfType<string>().Select(l => new TextLine(l)));
        summary.SetNeedsDraw();
        lanes.SetNeedsDraw();
        title.SetNeedsDraw();
    }
}
