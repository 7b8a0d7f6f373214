using Terminal.Gui.ViewBase;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

/// <summary>What the rules answered; of the row under the cursor what, why with the arithmetic, what to do, and how sure.</summary>
sealed class FindingsPage : Page
{
    const int TextColumns = 78;

    readonly DrawingView summary;
    readonly RowTable<FindingRow> table;
    readonly DrawingView title;
    readonly TextPane text;

    public FindingsPage(ScreenModel model, Func<Looks> looks)
        : base(model, looks)
    {
        summary = Line((scene, width) => TextFit.Fit(FindingsTable.Summary(scene), width));
        table = new(looks, () => model.Scene is { } scene ? FindingsTable.Columns(scene) : []);
        title = TitleRow(scene => Shown(scene) is { } row ? FindingsTable.Title(row) : "");
        text = new(looks);
        table.Chosen += row => model.Choose(scene => FindingSteps.Choose(scene.State, row.Id));
        table.Opened += _ => model.Do(UiAction.Enter);
        Add(summary, table, title, text);
    }

    public override ViewName Name => ViewName.Findings;
    public override string TabName => "Findings";
    public override string Brief => "Find";
    public override View Rows => table;
    public override View Scrolled => text;

    public override string Count(Scene scene) => scene.Findings.Count == 0 ? "" : Format.Brief(scene.Findings.Count);

    // Notes ask for nothing: they are never unread.
    public override string Alert(Scene scene) =>
        scene.Findings.Count(f => f.Severity != Severity.Note && !scene.IsAcknowledged(f)) is > 0 and var unread
            ? $"{Format.Brief(unread)} new" : "";

    public override void Take(Scene scene)
    {
        var rows = FindingRow.Of(scene);
        var shown = Shown(scene);
        var (width, room) = (Viewport.Width, Viewport.Height - 1);
        var wide = width >= WideScreen;
        var list = rows.IsEmpty ? 0 : wide ? room : RowsOf(rows.Length, room);
        var (x, y) = wide && list > 0 ? (width - TextColumns, 1) : (0, 1 + list);
        var titled = shown is null ? 0 : 1;
        Place(summary, 0, 0, width, 1);
        Place(table, 0, 1, x > 0 ? x - 1 : width, list);
        Place(title, x, y, width - x, titled);
        Place(text, x, y + titled, width - x, Viewport.Height - y - titled);
        Layout();
        table.Fill(rows, shown);
        text.Fill(shown?.Id, columns => shown is null ? FindingsTable.Nothing(scene, columns) : FindingText.Of(shown, scene, columns));
        summary.SetNeedsDraw();
        title.SetNeedsDraw();
    }

    static FindingRow? Shown(Scene scene) =>
        FindingRow.Of(scene) is var rows && FindingRow.Cursor(rows, scene) is >= 0 and var at ? rows[at] : null;
}
