using Terminal.Gui.ViewBase;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>
/// Where worker threads wait: by share of the samples where there are any; else what would show it, what that costs, and what is known
/// without.
/// </summary>
sealed class StacksPage : Page
{
    readonly DrawingView head;
    readonly RowTable<BlockerRow> table;
    readonly DrawingView title;
    readonly TextPane text;

    public StacksPage(ScreenModel model, Func<Looks> looks)
        : base(model, looks)
    {
        head = Drawing((pane, scene) => pane.Put(1, 0, TextFit.Whole(HasRows(scene) ? BlockerPanel.Head(scene) : StacksText.Head(scene),
            pane.Width - 2), HasRows(scene) ? Role.Text : Role.Title));
        table = new(looks, () => BlockerPanel.Columns(looks().Look.Glyphs));
        title = TitleRow(scene => Shown(scene) is { } row ? $"stack: {row.Place}" : "");
        text = new(looks);
        table.Chosen += row => model.Choose(scene => scene.State with
        {
            Show = scene.State.Show with { Row = BlockerRow.Of(scene).IndexOf(row) },
        });
        Add(head, table, title, text);
    }

    public override ViewName Name => ViewName.Stacks;
    public override string TabName => "Stacks";
    public override View? Rows => Model.Scene is { } scene && HasRows(scene) ? table : null;
    public override View Scrolled => text;

    public override string Count(Scene scene) => HasRows(scene) ? Format.Brief(BlockerRow.Shown(scene.Report).Count()) : "";

    public override void Take(Scene scene)
    {
        var (width, room) = (Viewport.Width, Viewport.Height - 1);
        Place(head, 0, 0, width, 1);
        if (!HasRows(scene))
        {
            Place(table, 0, 1, width, 0);
            Place(title, 0, 1, width, 0);
            Place(text, 0, 2, width, room - 1);
            Layout();
            text.Fill(null, columns => InsideText.Lines(scene.Report, columns).Concat(StacksText.Lines(scene, columns)));
        }
        else
        {
            var rows = BlockerRow.Of(scene);
            var list = RowsOf(rows.Length, room);
            Place(table, 0, 1, width, list);
            Place(title, 0, 1 + list, width, 1);
            Place(text, 0, 2 + list, width, room - list - 1);
            Layout();
            var row = Shown(scene)!;
            table.Fill(rows, row);
            text.Fill(row.Place, columns => InsideText.Lines(scene.Report, columns).Concat(BlockerPanel.Stack(row, scene, columns)));
        }

        head.SetNeedsDraw();
        title.SetNeedsDraw();
    }

    static bool HasRows(Scene scene) => scene.Report.Blockers is { IsDefaultOrEmpty: false };

    static BlockerRow? Shown(Scene scene) =>
        BlockerRow.Of(scene) is var rows && BlockerRow.Cursor(rows, scene) is >= 0 and var at ? rows[at] : null;
}
