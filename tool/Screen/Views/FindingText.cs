using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

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
        var (from, to) = (TimeStyles.Second(scene.Timeline, finding.From), TimeStyles.Second(scene.Timeline, finding.To));
        var began = scene.Timeline.Source == SessionSource.Live ? "tpwatch attached" : "the capture began";
        return (!StartObserved.IsSeen(scene.Report, finding.From), lasts) switch
        {
            (true, true) => $"since before {began} ({from}): for at least {length}",
            (true, false) => $"from before {began} ({from}) to {to}",
            (false, true) => $"since {from}, for {length}",
            _ => $"from {from} to {to} ({length})",
        };
    }

    /// <summary>
    /// Time after the end of a finding, milliseconds, for which the finding counts as going on: counter samples come once a second.
    /// </summary>
    const double NewestMs = 1500;

    /// <summary>
    /// Whether the remedy should wait until stack samples name the blocking call, and a key of this screen takes stack samples. Raising
    /// MinThreads can do harm where the threads wait for a lock.
    /// </summary>
    public static bool IsForLater(Remedy remedy, Scene scene) =>
        remedy.IsDoubtedMin && HasKeys(scene);

    /// <summary>Returns a remedy's text; to take stack samples, the text names a key of this screen if possible, else a command.</summary>
    public static string ToDo(Remedy remedy, Scene scene) => IsForLater(remedy, scene)
        ? $"Do not raise MinThreads before you know the call: {OneLock}"
        : HasKeys(scene) ? remedy.ByKey : remedy.Text;

    /// <summary>Returns the headline; to take stack samples, the headline names a key of this screen if possible, else a command.</summary>
    public static string Headline(Scene scene) => HasKeys(scene) ? scene.Report.HeadlineByKey : scene.Report.Headline;

    static bool HasKeys(Scene scene) => scene.State is { MayTakeStacks: true, TakesStacks: false };

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
