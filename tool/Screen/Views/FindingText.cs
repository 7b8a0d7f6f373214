using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>A finding in lines: what, what to do, why with its numbers, when, and how sure.</summary>
static class FindingText
{
    const int Indent = 7;
    const int RemedyIndent = 10;
    const string HowToGetIt = ". To ";

    const string OneLock = "if all threads wait for one lock, more threads do not help.";

    public static IEnumerable<TextLine> Of(FindingRow row, Scene scene, int width) =>
        row.Found is { } finding ? Found(finding, scene, width) : Undecided(row, scene, width);

    /// <summary>From when to when, by the target's clock; what began before the capture is told as that.</summary>
    public static string When(Finding finding, Scene scene)
    {
        var length = Format.Duration(finding.To.MsSince(finding.From));
        var lasts = scene.Timeline.Now.MsSince(finding.To) <= NewestMs && scene.Report.IsNow;
        var (from, to) = (TimeStyles.Second(scene.Timeline, finding.From), TimeStyles.Second(scene.Timeline, finding.To));
        var began = scene.Timeline.Source == SessionSource.Live ? "tpwatch attached" : "the capture began";
        return (!Onset.IsSeen(scene.Report, finding.From), lasts) switch
        {
            (true, true) => $"since before {began} ({from}): for at least {length}",
            (true, false) => $"from before {began} ({from}) to {to}",
            (false, true) => $"since {from}, for {length}",
            _ => $"from {from} to {to} ({length})",
        };
    }

    /// <summary>What ended so shortly before the newest event may go on: a counter sample comes once a second, milliseconds.</summary>
    const double NewestMs = 1500;

    /// <summary>
    /// Whether it may be of no use until stacks name the call, and a key takes them: a number that is pasted at once can do harm at a lock.
    /// </summary>
    public static bool IsForLater(Remedy remedy, Scene scene) =>
        remedy.IsDoubtedMin && scene.State is { MayTakeStacks: true, TakesStacks: false };

    /// <summary>What to do; on a screen that takes stacks by a key, that key instead of a command to type elsewhere.</summary>
    public static string ToDo(Remedy remedy, Scene scene) => !IsForLater(remedy, scene) ? WithKeys(remedy.Text, scene)
        : $"Do not raise MinThreads before you know the call: {OneLock}";

    /// <summary>A text with the keys of this screen in the place of commands to type elsewhere.</summary>
    public static string WithKeys(string text, Scene scene) => scene.State is { MayTakeStacks: true, TakesStacks: false }
        ? text.Replace($"run {Waits.TakeStacks(scene.Report)}{Waits.Again}", $"press t{Waits.Again}", StringComparison.Ordinal)
            .Replace($"run {Waits.TakeStacks(scene.Report)}", $"press t{(Waits.IsOver(scene.Report) ? Waits.Again : "")}",
                StringComparison.Ordinal)
            .Replace($"run {Waits.MeasureItems(scene.Report)}", "press 4, then t twice", StringComparison.Ordinal)
        : text;

    static IEnumerable<TextLine> Found(Finding finding, Scene scene, int width)
    {
        foreach (var line in TextBlock.Labelled("What", finding.Headline, Indent, width, Role.Title))
        {
            yield return line;
        }

        foreach (var line in Remedies(finding, scene, width))
        {
            yield return line;
        }

        foreach (var line in finding.Evidence.SelectMany((e, i) => Point(i == 0 ? "Seen" : "", "-", Evidence(e), width)))
        {
            yield return line;
        }

        yield return new($"{"When".PadRight(Indent)}{When(finding, scene)}");
        yield return new($"{"Sure".PadRight(Indent)}{Sure(finding)}");
    }

    static IEnumerable<TextLine> Remedies(Finding finding, Scene scene, int width)
    {
        var number = 0;
        foreach (var remedy in finding.Remedies)
        {
            number++;
            foreach (var line in Point(number == 1 ? "Do" : "", number.ToString(CultureInfo.InvariantCulture), ToDo(remedy, scene), width))
            {
                yield return line;
            }

            foreach (var line in remedy.Setting is { } setting && !IsForLater(remedy, scene)
                ? TextFit.Wrap(setting, Math.Max(1, width - RemedyIndent), int.MaxValue)
                : [])
            {
                yield return new(new string(' ', RemedyIndent) + line, Role.KeyName);
            }
        }

        if (number > 0 && !finding.Evidence.IsEmpty)
        {
            yield return new("");
        }
    }

    // What is missing may say itself how to get it.
    static IEnumerable<TextLine> Undecided(FindingRow row, Scene scene, int width)
    {
        var missing = WithKeys(row.Missing ?? "Data is missing", scene);
        var how = missing.IndexOf(HowToGetIt, StringComparison.Ordinal);
        var (why, toDo) = how < 0 ? (missing, "Press i to see which data arrives.") : (missing[..how], missing[(how + 2)..]);
        return TextBlock.Labelled("Why", Sentence.Of(why), Indent, width)
            .Concat(TextBlock.Labelled("Do", Sentence.Of(toDo), Indent, width));
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
