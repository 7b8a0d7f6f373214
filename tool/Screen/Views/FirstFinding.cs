using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>
/// Draws the most important finding on the overview: headline, one line of evidence, and the first two remedies in full. Without a finding,
/// draws the headline of the report and the data that was checked.
/// </summary>
sealed class FirstFinding(Pane pane, Scene scene)
{
    /// <summary>Maximum number of rows of the advice about slow requests with a healthy pool, enough for a screen of 80 columns.</summary>
    const int MostElsewhere = 5;

    const int Indent = 6;
    const int RemedyIndent = 8;
    const int MostRemedies = 2;
    const string Millis = "ms";

    /// <summary>Maximum number of rows of the headline where there is no finding; further rows are not needed here.</summary>
    const int MostHeadline = 4;

    readonly int width = pane.Width - 2;
    readonly int room = pane.Height - 1;

    public static void Draw(Pane pane, Scene scene) => new FirstFinding(pane, scene).Draw();

    /// <summary>
    /// Returns the finding that the user chose, else the most serious unread finding. Among equally serious findings the headline's finding
    /// comes first, so that the screen names one cause.
    /// </summary>
    public static Finding? Of(Scene scene)
    {
        var leading = LeadingFinding.Of(scene.Report.Findings)?.Id;
        return scene.Findings.Where(f => f.Severity > Severity.Note || f.Id == scene.State.Rule)
            .OrderByDescending(f => f.Id == scene.State.Rule).ThenBy(scene.IsAcknowledged).ThenByDescending(f => f.Severity)
            .ThenByDescending(f => f.Id == leading).FirstOrDefault();
    }

    void Draw()
    {
        if (Of(scene) is { } finding)
        {
            var which = scene.Findings.Count == 1 ? "finding" : finding.Id == scene.State.Rule ? "chosen" : "first";
            var of = scene.Findings.Count == 1 ? "" : $" of {Format.Count(scene.Findings.Count)} findings";
            Title($"{which}{of}: {finding.Id}", "6 shows all");
            Put(Lines(finding));
        }
        else
        {
            Title(scene.Report.Verdict == Verdict.Undecided ? "undecided" : "in short", "");
            Put(Calm());
        }
    }

    List<TextLine> Lines(Finding finding)
    {
        List<TextLine> what = [.. TextBlock.Labelled("What", finding.Headline, Indent, width, Role.Title)];
        var remedies = finding.Remedies.Take(MostRemedies).Select((r, i) => Remedy(FindingText.ToDo(r, scene), i)).ToList();
        while (remedies.Count > 1 && what.Count + remedies.Sum(r => r.Count) > room)
        {
            remedies.RemoveAt(remedies.Count - 1);
        }

        var used = what.Count + remedies.Sum(r => r.Count);
        foreach (var (remedy, lines) in finding.Remedies.Zip(remedies))
        {
            List<TextLine> setting = remedy.Setting is { } text && !FindingText.IsForLater(remedy, scene) ? [.. Setting(text)] : [];
            lines.AddRange(used + setting.Count < room ? setting : []);
            used += used + setting.Count < room ? setting.Count : 0;
        }

        var seen = used < room ? Seen(finding) : null;
        List<TextLine> all = [.. what, .. seen is { } line ? [line] : Array.Empty<TextLine>(), .. remedies.SelectMany(r => r)];
        return all.Count < room ? [.. all, .. Others(finding).Take(room - all.Count)] : all;
    }

    // The first evidence with a known value that fits on one line; durations come first, because durations say more than counts.
    TextLine? Seen(Finding finding) => finding.Evidence
        .Where(e => Words.Known(e.Value) is not null).OrderByDescending(e => e.Unit == Millis)
        .Select(e => $"{"Seen".PadRight(Indent)}{EvidenceText.Of(e)}").Where(l => l.Length <= width)
        .Select(l => (TextLine?)new TextLine(l)).FirstOrDefault();

    List<TextLine> Remedy(string text, int index) =>
        [.. TextFit.Wrap(text, Math.Max(1, width - RemedyIndent), int.MaxValue).Select((line, i) => new TextLine(
            (i > 0 ? "" : FormattableString.Invariant($"{(index == 0 ? "Do" : ""),-Indent}{index + 1}")).PadRight(RemedyIndent) + line))];

    IEnumerable<TextLine> Setting(string text) => TextFit.Wrap(text, Math.Max(1, width - RemedyIndent), int.MaxValue)
        .Select(line => new TextLine(new string(' ', RemedyIndent) + line, Role.KeyName));

    IEnumerable<TextLine> Others(Finding first) => scene.Findings
        .Where(f => f != first && f.Severity > Severity.Note).OrderByDescending(f => f.Severity)
        .Select(f => $"{"Also".PadRight(Indent)}{f.Id} {f.Title}").Where(l => l.Length <= width).Select(l => new TextLine(l, Role.Faint));

    IEnumerable<TextLine> Calm()
    {
        var (report, timeline) = (scene.Report, scene.Timeline);
        foreach (var line in TextFit.Wrap(FindingText.Headline(scene), width, MostHeadline))
        {
            yield return new(line);
        }

        string[] looked =
        [
            $"{Format.Duration(timeline.Now.MsSince(timeline.Start))} of events",
            timeline.CounterSamples.IsEmpty ? "" : Format.Plural(timeline.CounterSamples.Length, "counter sample"),
            timeline.Quality is { Lost: 0, LossUnknown: false } ? "nothing lost" : "some events lost",
            Phrases.Checks(report),
        ];
        if (report.Verdict == Verdict.Healthy)
        {
            foreach (var line in TextFit.Wrap(Elsewhere(report), width, MostElsewhere))
            {
                yield return new(line);
            }
        }

        var why = report.Undecided.IsEmpty ? "" : ". Press 6 to see why";
        foreach (var line in TextFit.Wrap($"Looked at: {string.Join(", ", looked.Where(l => l.Length > 0))}{why}.", width, 2))
        {
            yield return new(line, Role.Faint);
        }
    }

    // Says which command to run, and what the report of that command shows.
    static string Elsewhere(PoolReport report) =>
        $"Are requests slow? In another terminal, run dotnet tpwatch report {Waits.Who(report)} --verbose. That report lists each route "
            + "with its times (ASP.NET Core). Look at what requests await (database, HTTP, DNS), and at garbage collection.";

    void Put(IEnumerable<TextLine> lines)
    {
        TextLine[] all = [.. lines];
        for (var i = 0; i < Math.Min(all.Length, room); i++)
        {
            var cut = i == room - 1 && all.Length > room;
            pane.Put(1, i + 1, cut ? Shortened(all[i].Text) : all[i].Text, all[i].Role);
        }
    }

    // A blank before the dots shows that the last word is complete.
    string Shortened(string text)
    {
        var kept = text.Length + 3 <= width ? text : text[..Math.Max(0, text.LastIndexOf(' ', width - 3))];
        return kept.TrimEnd() + " ..";
    }

    void Title(string text, string right)
    {
        TextBlock.Title(pane.Rows(0, 1), text);
        if (right.Length > 0 && text.Length + right.Length + 8 < pane.Width)
        {
            pane.PutEndingAt(pane.Width - 1, 0, $" {right} ", Role.Title);
        }
    }
}
