using Terminal.Gui.ViewBase;
using Tpwatch.Diagnosis;
using Tpwatch.Screen.Commands;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>
/// The view of the findings: a table of findings and undecided rules, and the text of the row under the cursor with headline, remedies,
/// evidence and confidence.
/// </summary>
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

    // Notes need no action, so a note never counts as unread.
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

/// <summary>The texts of the view of the findings: the table, the line above the table, and the title below the table.</summary>
static class FindingsTable
{
    /// <summary>Returns the title of the text below the table.</summary>
    public static string Title(FindingRow row) => row.Found is { } found
        ? $"{row.Id} {found.Title}" : $"{row.Id} {FindingCatalogue.Question(row.Id)} Undecided";

    /// <summary>Returns the text that replaces an empty table.</summary>
    public static IEnumerable<TextLine> Nothing(Scene scene, int width)
    {
        var report = scene.Report;
        var checks = scene.Findings.Count + report.Undecided.Length > 0 ? "No row matches. esc shows all rows."
            : report.Clear.IsEmpty ? "No check has been made yet."
            : $"Clear: {string.Join(", ", report.Clear)}.";
        var headline = FindingText.Headline(scene);
        // An undecided verdict comes before the clear checks; after the clear checks, the verdict would seem less important.
        string[] texts = report.Verdict == Verdict.Undecided ? [headline, checks] : [checks, headline];
        return TextFit.Wrap(texts[0], width, int.MaxValue).Append("")
            .Concat(TextFit.Wrap(texts[1], width, int.MaxValue)).Select(l => new TextLine(l));
    }

    /// <summary>Returns the number of findings of each severity, the checks, and the filter.</summary>
    public static IEnumerable<string> Summary(Scene scene)
    {
        var (report, list) = (scene.Report, scene.State.List);
        var counts = Enum.GetValues<Severity>().OrderDescending()
            .Select(s => (Severity: s, Count: scene.Findings.Count(f => f.Severity == s)));
        yield return Format.Plural(scene.Findings.Count, "finding") + (scene.Findings.Count == 0 ? "" : ":");
        yield return string.Join(", ", counts.Where(c => c.Count > 0)
            .Select(c => $"{Format.Brief(c.Count)} {Level(c.Severity)}{(c.Count == 1 || c.Severity == Severity.Serious ? "" : "s")}"));
        yield return Phrases.Checks(report);
        yield return list.Filter.Length > 0 ? $"showing /{list.Filter}" : "";
    }

    static string Level(Severity severity) => severity.ToString().ToLowerInvariant();

    /// <summary>Returns the columns of the table of findings.</summary>
    public static IEnumerable<TableColumn<FindingRow>> Columns(Scene scene) =>
    [
        new("level", 11, 8, r => Level(r, scene))
        {
            Rank = r => r.Found is { } f ? (double)f.Severity : double.NaN,
            Role = r => r.Found is { Severity: Severity.Serious } f && !scene.IsAcknowledged(f) ? Role.Starvation : Role.Text,
        },
        new("began", 13, 5, r => r.Found is { } f ? Since(scene, f) : "")
        {
            Right = true, Rank = r => r.Found is { } f ? f.From.MsSince(scene.Timeline.Start) : double.NaN,
        },
        new("id", 6, 7, r => r.Id),
        new("finding", 0, 9, Told) { IsProse = _ => true, Brief = r => r.Found?.Title ?? FindingCatalogue.Question(r.Id) },
        new("confidence", 10, 1, r => r.Found?.Confidence.ToString().ToLowerInvariant() ?? ""),
    ];

    static string Told(FindingRow row) =>
        row.Found?.Title ?? $"{FindingCatalogue.Question(row.Id)} {Sentence.Of(row.Open!.Missing)}";

    // The start of a finding that was there when the capture began is not known.
    static string Since(Scene scene, Finding finding) =>
        StartObserved.IsSeen(scene.Report, finding.From) ? TimeStyles.Second(scene.Timeline, finding.From)
            : scene.Timeline.Source == SessionSource.Live ? "before attach" : "before capture";

    static string Level(FindingRow row, Scene scene) => row.Found?.Severity switch
    {
        { } severity when scene.IsAcknowledged(row.Found) => $"ok {severity.ToString().ToLowerInvariant()}",
        Severity.Serious => "!! serious",
        Severity.Warning => "!  warning",
        Severity.Note => ".  note",
        _ => "? undecided",
    };
}
