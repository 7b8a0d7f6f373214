using Tpwatch.Render.Shared;
using Tpwatch.Reporting;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Lists;
using Tpwatch.Screen.State;
using Tpwatch.Screen.Widgets;

namespace Tpwatch.Screen.Views;

/// <summary>What the rules answered; of the row under the cursor what, why with the arithmetic, what to do, and how sure.</summary>
sealed class FindingsView : IView
{
    /// <summary>From here on the text stands beside the list, not beneath.</summary>
    const int WideScreen = 140;

    const int TextColumns = 78;

    /// <summary>At the right of the summary stands which rows are seen.</summary>
    const int RangeColumns = 17;

    /// <summary>Share of the rows that the list may take.</summary>
    const int ListShare = 3;

    public ViewName Name => ViewName.Findings;
    public string Title => "Findings";
    public string Brief => "Find";

    public string Count(Scene scene) => scene.Findings.Count == 0 ? "" : Format.Brief(scene.Findings.Count);

    // Notes ask for nothing: they are never unread.
    public string Alert(Scene scene) =>
        scene.Findings.Count(f => f.Severity != Severity.Note && !scene.IsAcknowledged(f)) is > 0 and var unread
            ? $"{Format.Brief(unread)} new" : "";

    public void Draw(Pane pane, Scene scene)
    {
        var rows = FindingRow.Of(scene);
        var cursor = FindingRow.Cursor(rows, scene);
        pane.Put(1, 0, TextFit.Fit(Summary(scene), pane.Width - 2 - RangeColumns));
        var rest = pane.Rows(1, pane.Height - 1);
        if (cursor < 0)
        {
            Nothing(rest, scene);
            return;
        }

        var wide = pane.Width >= WideScreen;
        var list = wide ? rest.Height : Math.Min(rows.Length + 1, Math.Max(3, rest.Height / ListShare));
        var shown = new Table<FindingRow>(
            wide ? rest.Columns(0, pane.Width - TextColumns - 1) : rest.Rows(0, list), Columns(scene)).Draw(rows, cursor);
        pane.PutEndingAt(pane.Width - 1, 0, shown, Role.Faint);
        Text(wide ? rest.Columns(pane.Width - TextColumns, TextColumns) : rest.Rows(list, rest.Height - list), scene, rows[cursor]);
    }

    static IEnumerable<string> Summary(Scene scene)
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

    static void Nothing(Pane pane, Scene scene)
    {
        var report = scene.Report;
        var checks = scene.Findings.Count + report.Undecided.Length > 0 ? "No row matches. esc shows all rows."
            : report.Clear.IsEmpty ? "No check has been made yet."
            : $"Clear: {string.Join(", ", report.Clear)}.";
        var headline = FindingText.WithKeys(report.Headline, scene);
        // What is undecided comes before what is clear, or it would be taken for the smaller part.
        string[] texts = report.Verdict == Verdict.Undecided ? [headline, checks] : [checks, headline];
        TextBlock.Draw(pane.Rows(1, pane.Height - 1), [.. TextFit.Wrap(texts[0], pane.Width - 2, int.MaxValue).Append("")
            .Concat(TextFit.Wrap(texts[1], pane.Width - 2, int.MaxValue)).Select(l => new TextLine(l))], 0);
    }

    static void Text(Pane pane, Scene scene, FindingRow row)
    {
        TextBlock.Title(pane.Rows(0, 1), row.Found is { } found
            ? $"{row.Id} {found.Title}" : $"{row.Id} {FindingCatalogue.Question(row.Id)} Undecided");
        TextBlock.Draw(pane.Rows(1, pane.Height - 1), [.. FindingText.Of(row, scene, pane.Width - 2)], scene.State.Scroll);
    }

    static IEnumerable<TableColumn<FindingRow>> Columns(Scene scene) =>
    [
        new("level", 11, 8, r => Level(r, scene))
        {
            Role = r => r.Found is { Severity: Severity.Serious } f && !scene.IsAcknowledged(f) ? Role.Starvation : Role.Text,
        },
        new("began", 13, 5, r => r.Found is { } f ? Since(scene, f) : "") { Right = true },
        new("id", 6, 7, r => r.Id),
        new("finding", 0, 9, Told) { IsProse = _ => true, Brief = r => r.Found?.Title ?? FindingCatalogue.Question(r.Id) },
        new("confidence", 10, 1, r => r.Found?.Confidence.ToString().ToLowerInvariant() ?? ""),
    ];

    static string Told(FindingRow row) =>
        row.Found?.Title ?? $"{FindingCatalogue.Question(row.Id)} {Sentence.Of(row.Missing ?? "Data is missing")}";

    // What was there when the capture began has begun at a moment that nothing tells.
    static string Since(Scene scene, Finding finding) =>
        Onset.IsSeen(scene.Report, finding.From) ? TimeStyles.Second(scene.Timeline, finding.From)
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
