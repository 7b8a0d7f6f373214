using Terminal.Gui.ViewBase;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.Drawing;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>
/// The view of the injections: a table of the adjustments and injection delays, and details of the row under the cursor. The details are a
/// drawing to scale with gate checks and allowed moments, and the reason.
/// </summary>
sealed class InjectionsPage : Page
{
    const int DrawingColumns = 60;

    /// <summary>Minimum number of rows of the table: the heading and three events.</summary>
    const int LeastTable = 4;

    /// <summary>Number of rows of full details: the drawing, the title of the drawing and three lines of text.</summary>
    const int FullDetail = 12;

    /// <summary>Number of rows that the drawing leaves for the text.</summary>
    const int LeastWhy = 3;

    readonly DrawingView summary;
    readonly RowTable<InjectionDelay> table;
    readonly DrawingView drawing;
    readonly TextPane why;

    public InjectionsPage(ScreenModel model, Func<Looks> looks)
        : base(model, looks)
    {
        summary = Line((scene, width) => TextFit.Fit(InjectionsText.Summary(scene, DelayRows.Of(scene).Length), width));
        table = new(looks, () => model.Scene is { } scene ? DelayTable.Columns(scene) : []);
        drawing = Drawing((pane, scene) =>
        {
            if (Shown(scene) is { } delay)
            {
                DelayDetail.Draw(pane, delay);
            }
        });
        why = new(looks);
        table.Chosen += delay => model.Choose(scene => Navigation.Show(scene, model.Columns, delay));
        table.Opened += _ => model.Do(UiAction.OnTimeline);
        table.Resorted += () =>
        {
            if (model.State.Selected is null && table.First is { } first)
            {
                model.Choose(scene => Navigation.Show(scene, model.Columns, first));
            }
        };
        Add(summary, table, drawing, why);
    }

    public override ViewName Name => ViewName.Injections;
    public override string TabName => "Injections";
    public override string Brief => "Inj";
    public override View? Rows => Model.State.Detail ? null : table;
    public override View Scrolled => why;

    public override string Count(Scene scene) => Injected.Count(scene.Report);

    public override void Sort() => table.SortByNext("delay ms", "queue");

    public override void Take(Scene scene)
    {
        var rows = DelayRows.Of(scene);
        var delay = Shown(scene);
        var (width, room) = (Viewport.Width, Viewport.Height - 1);
        var wide = width >= WideScreen && !scene.State.Detail;
        var list = delay is null || scene.State.Detail ? 0
            : wide ? room
            : Math.Max(LeastTable, Math.Min(rows.Length + 1, Math.Max(room - FullDetail, room / 3)));
        var (x, y) = wide ? (width - DrawingColumns, 1) : (0, 1 + list);
        var below = wide ? room : room - list;
        var drawn = delay is null ? 0 : DelayDetail.Rows(delay, below - LeastWhy);
        Place(summary, 0, 0, width, 1);
        Place(table, 0, 1, wide ? width - DrawingColumns - 1 : width, list);
        Place(drawing, x, y, width - x, drawn);
        Place(why, x, y + drawn, width - x, below - drawn);
        Layout();
        table.Fill(rows, delay);
        why.Fill(delay?.Number, columns => delay is not null ? DelayDetail.Lines(scene, delay, columns)
            : TextFit.Wrap(InjectionsText.Nothing(scene), columns, 3).Select(l => new TextLine(l)).Prepend(new("")));
        summary.SetNeedsDraw();
        drawing.SetNeedsDraw();
    }

    static InjectionDelay? Shown(Scene scene) =>
        DelayRows.Of(scene) is var rows && DelayRows.Cursor(rows, scene) is >= 0 and var at ? rows[at] : null;
}

/// <summary>The line above the table of events, and the text that replaces an empty table.</summary>
static class InjectionsText
{
    /// <summary>Returns the reason for an empty table.</summary>
    public static string Nothing(Scene scene) => scene.Events.IsEmpty
        ? "No event yet: the pool has not changed its target thread count since the capture began."
        : "No row matches. esc shows all rows.";

    /// <summary>Returns the number of rows of each reason and each verdict, and the filters.</summary>
    public static IEnumerable<string> Summary(Scene scene, int shown)
    {
        var events = scene.Events;
        var reasons = DelayMark.Reasons.Select(r => (r.Mark.Letter, Count: events.Count(g => g.Reason == r.Reason)))
            .Where(r => r.Count > 0);
        var counts = string.Join(' ', reasons.Select(r => $"{r.Letter}{Format.Brief(r.Count)}"));
        yield return $"{Format.Plural(events.Length, "row")}  {counts}".TrimEnd();
        var list = scene.State.List;
        var narrowed = string.Join(
            " /", new[] { list.Verdicts == VerdictChoice.All ? "" : list.VerdictWord, list.Filter }.Where(w => w.Length > 0));
        yield return list.IsNarrowed ? $"showing {Format.Brief(shown)}: {(list.Verdicts == VerdictChoice.All ? "/" : "")}{narrowed}" : "";
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"as expected {Of(events, DelayVerdict.AsExpected)}  early {Of(events, DelayVerdict.Early)}  "
                + $"late {Of(events, DelayVerdict.Late)}  unexplained {Of(events, DelayVerdict.NoRule)}");
        yield return scene.Report.Evicted > 0 ? $"{Format.Brief(scene.Report.Evicted)} older discarded" : "";
    }

    static int Of(IEnumerable<InjectionDelay> events, DelayVerdict verdict) => events.Count(g => g.Verdict == verdict);
}
