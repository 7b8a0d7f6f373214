using Terminal.Gui.ViewBase;
using Tpwatch.Diagnosis;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>
/// The view of the findings: a table of the findings and undecided rules, and the text of the row under the cursor. The text has headline,
/// remedies, evidence and confidence.
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
        title = TitleRow(scene => FindingRow.Under(scene) is { } row ? FindingsTable.Title(row) : "");
        text = new(looks);
        table.Chosen += row => model.Choose(scene => scene.State with { Rule = row.Id });
        table.Opened += _ => model.Do(UiAction.Enter);
        Add(summary, table, title, text);
    }

    public override ViewName Name => ViewName.Findings;
    public override string TabName => "Findings";
    public override string Brief => "Find";
    public override View Rows => table;
    public override View Scrolled => text;

    public override string Count(Scene scene) => scene.Findings.Count == 0 ? "" : Format.Brief(scene.Findings.Count);

    // Findings of severity Note need no action, so they never count as unread.
    public override string Alert(Scene scene) =>
        scene.Findings.Count(f => f.Severity != Severity.Note && !scene.IsAcknowledged(f)) is > 0 and var unread
            ? $"{Format.Brief(unread)} new" : "";

    public override void Take(Scene scene)
    {
        var rows = FindingRow.Of(scene);
        var shown = FindingRow.Under(scene);
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
}

/// <summary>The texts of the view of the findings: the table, the line above the table, and the title below the table.</summary>
static class FindingsTable
{
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
        // If the verdict is undecided, the headline comes first; after a list of passed checks, the headline would seem less important.
        string[] texts = report.Verdict == Verdict.Undecided ? [headline, checks] : [checks, headline];
        return TextFit.Wrap(texts[0], width, int.MaxValue).Append("")
            .Concat(TextFit.Wrap(texts[1], width, int.MaxValue)).Select(l => new TextLine(l));
    }

    /// <summary>Returns the parts of the line above the table: number of findings by severity, number of checks, and the filter.</summary>
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

    static string Told(FindingRow row) => row.Found?.Title ?? $"{FindingCatalogue.Question(row.Id)} {Sentence.Of(row.Open!.Missing)}";

    // Returns when a finding began, as text. If it began before the capture, the time is not known, and the text says so.
    static string Since(Scene scene, Finding finding) =>
        ProblemOnset.IsSeen(scene.Report, finding.From) ? TimeStyleExtensions.Second(scene.Timeline, finding.From)
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

/// <summary>A finding as lines of text: headline, remedies, evidence with its numbers, time, and confidence.</summary>
static class FindingText
{
    const int Indent = 7;
    const int RemedyIndent = 10;

    const string OneLock = "if all threads wait for one lock, more threads do not help.";

    public static IEnumerable<TextLine> Of(FindingRow row, Scene scene, int width) =>
        row.Found is { } finding ? Found(finding, scene, width) : Open(row.Open!, scene, width);

    /// <summary>Returns the time span of a finding by the target's clock, and whether the finding began before the capture.</summary>
    public static string When(Finding finding, Scene scene)
    {
        var length = Format.Duration(finding.To.MsSince(finding.From));
        var lasts = scene.Timeline.Now.MsSince(finding.To) <= NewestMs && scene.Report.IsNow;
        var (from, to) = (TimeStyleExtensions.Second(scene.Timeline, finding.From), TimeStyleExtensions.Second(scene.Timeline, finding.To));
        var began = scene.Timeline.Source == SessionSource.Live ? "tpwatch attached" : "the capture began";
        return (!ProblemOnset.IsSeen(scene.Report, finding.From), lasts) switch
        {
            (true, true) => $"since before {began} ({from}): for at least {length}",
            (true, false) => $"from before {began} ({from}) to {to}",
            (false, true) => $"since {from}, for {length}",
            _ => $"from {from} to {to} ({length})",
        };
    }

    /// <summary>Time for which a finding counts as going on after its end, milliseconds. Counter samples come once a second.</summary>
    const double NewestMs = 1500;

    /// <summary>
    /// Whether the remedy raises MinThreads but should wait for stack samples, which a key of this screen takes. Stack samples show whether
    /// all threads wait for one lock; if so, more threads do not help.
    /// </summary>
    public static bool IsForLater(Remedy remedy, Scene scene) => remedy.IsDoubtedMin && HasKeys(scene);

    /// <summary>Returns a remedy's text. Advice to take stack samples names a key of this screen if possible, else a command.</summary>
    public static string ToDo(Remedy remedy, Scene scene) => IsForLater(remedy, scene)
        ? $"Do not raise MinThreads before you know the call: {OneLock}"
        : HasKeys(scene) ? remedy.ByKey : remedy.Text;

    /// <summary>Returns the headline. Advice to take stack samples names a key of this screen if possible, else a command.</summary>
    public static string Headline(Scene scene) => HasKeys(scene) ? scene.Report.HeadlineByKey : scene.Report.Headline;

    static bool HasKeys(Scene scene) => scene.State is { MayTakeStacks: true, TakesStacks: false };

    static IEnumerable<TextLine> Found(Finding finding, Scene scene, int width) =>
    [
        .. TextBlock.Labelled("What", finding.Headline, Indent, width, Role.Title),
        .. finding.Remedies.SelectMany((remedy, i) => Remedy(remedy, i, scene, width)),
        .. finding.Remedies.IsEmpty || finding.Evidence.IsEmpty ? [] : new[] { new TextLine("") },
        .. finding.Evidence.SelectMany((e, i) => Point(i == 0 ? "Seen" : "", "-", Evidence(e), width)),
        new($"{"When".PadRight(Indent)}{When(finding, scene)}"),
        new($"{"Sure".PadRight(Indent)}{Sure(finding)}"),
    ];

    static IEnumerable<TextLine> Remedy(Remedy remedy, int index, Scene scene, int width) =>
        Point(index == 0 ? "Do" : "", (index + 1).ToString(CultureInfo.InvariantCulture), ToDo(remedy, scene), width)
            .Concat(Setting(remedy, scene, RemedyIndent, width));

    /// <summary>Returns the setting that a remedy changes, as indented lines; none if there is no setting or it should wait.</summary>
    public static IEnumerable<TextLine> Setting(Remedy remedy, Scene scene, int indent, int width) =>
        remedy.Setting is { } setting && !IsForLater(remedy, scene)
            ? TextFit.Wrap(setting, Math.Max(1, width - indent), int.MaxValue)
                .Select(line => new TextLine(new string(' ', indent) + line, Role.KeyName))
            : [];

    static IEnumerable<TextLine> Open(Undecided open, Scene scene, int width)
    {
        var how = HasKeys(scene) ? open.How.Key : open.How.Command;
        return TextBlock.Labelled("Why", Sentence.Of(open.How.Before(open.Missing)), Indent, width)
            .Concat(TextBlock.Labelled(
                "Do", how.Length == 0 ? "Press i to see which data arrives." : Sentence.Of(how.TrimStart('.', ' ')), Indent, width));
    }

    static IEnumerable<TextLine> Point(string label, string mark, string text, int width) =>
        TextFit.Wrap(text, Math.Max(1, width - RemedyIndent), int.MaxValue)
            .Select((line, i) =>
                new TextLine($"{(i == 0 ? label : "").PadRight(Indent)}{(i == 0 ? mark : "").PadRight(RemedyIndent - Indent)}{line}"));

    static string Evidence(Evidence evidence) => $"{EvidenceText.Of(evidence)} ({EvidenceText.Source(evidence)})";

    static string Sure(Finding finding) => finding.Confidence switch
    {
        Confidence.High => "high: the finding follows from what was seen",
        Confidence.Medium => "medium: likely",
        _ => "low: there may be another cause",
    };
}
