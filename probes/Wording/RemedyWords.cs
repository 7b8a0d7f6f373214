using Tpwatch.Reports;

namespace Tpwatch.Wording;

/// <summary>Builds a remedy's text: a sentence that says what the remedy does, the setting if there is one, and the rest.</summary>
static class RemedyWords
{
    public static string Of(Remedy remedy)
    {
        var (first, setting, after) = Parts(remedy);
        return first + setting + after;
    }

    /// <summary>Returns the text in three parts: the sentence that says what the remedy does, the setting, and the rest.</summary>
    public static (string First, string Setting, string After) Parts(Remedy remedy)
    {
        // The text may contain names of methods or files, which come from the target and are not trusted.
        var text = UntrustedText.Line(remedy.Text);
        // "Use" precedes the setting, unless the setting is to be removed.
        return remedy.Setting is not { } setting ? (text, "", "")
            : (text[..^remedy.After.Length].TrimEnd('.') + (remedy.Removes ? ". " : ". Use "),
                UntrustedText.Line(remedy.Removes ? $"{char.ToUpperInvariant(setting[0])}{setting[1..]}" : setting),
                remedy.After.Length > 0 ? $".{text[^remedy.After.Length..]}" : "");
    }
}

/// <summary>Selects the workaround that helps until the cause is fixed, or the refusal, which says why no workaround helps.</summary>
static class Workaround
{
    /// <summary>
    /// Returns the leading finding's workaround or refusal, else another finding's workaround, else the leading finding's setting, or null.
    /// </summary>
    public static Remedy? Of(PoolReport report, Finding? leading)
    {
        if (leading is null)
        {
            return null;
        }

        var own = leading.Remedies.Skip(1).ToArray();
        return own.FirstOrDefault(r => r.Kind == RemedyKind.Workaround)
            ?? own.FirstOrDefault(r => r.Kind == RemedyKind.Refusal)
            ?? report.Findings.SelectMany(f => f.Remedies).FirstOrDefault(r => r.Kind == RemedyKind.Workaround)
            ?? own.FirstOrDefault(r => r.Setting is not null);
    }

    public static string Label(Remedy remedy) => remedy.Kind switch
    {
        RemedyKind.Workaround => "workaround",
        RemedyKind.Refusal => "do not",
        _ => "or",
    };

    /// <summary>Returns the text of the remedy without the word that the label already contains.</summary>
    public static string Text(Remedy remedy) => RemedyWords.Of(remedy with { Text = remedy.Unlabelled ?? remedy.Text });
}

/// <summary>Builds texts that say how to get data which a capture lacks: commands, and keys of the screen.</summary>
static class Hints
{
    /// <summary>The command that reports the calls in which worker threads are blocked.</summary>
    public static string TakeStacks(PoolEvidence report) => $"dotnet tpwatch report {Who(report)} --depth stacks";

    /// <summary>How to measure the queue time of each item, as part of a sentence.</summary>
    public static MissingDataHint ToItems(PoolEvidence report) =>
        new($"run dotnet tpwatch report {Who(report)} --depth items", "press 4, then t twice");

    /// <summary>The command that lists the requests of a server with their times.</summary>
    public static MissingDataHint ListRequests(PoolEvidence report) => Same(
        $". To list the routes of an ASP.NET Core server with their times, run dotnet tpwatch report {Who(report)} --verbose");

    /// <summary>An instruction that is the same on the command line and on the screen.</summary>
    public static MissingDataHint Same(string way) => new(way, way);

    /// <summary>How to take stacks, as part of a sentence.</summary>
    public static MissingDataHint ToStacks(PoolEvidence report) => new($"run {TakeStacks(report)}", "press t");

    /// <summary>A sentence with the command that shows a call by taking stacks; empty when stacks were taken.</summary>
    public static MissingDataHint NamedBy(PoolEvidence report, string what = "To find the call") => How(report, $" {what}, ", ".");

    /// <summary>
    /// A sentence with the command that takes stacks, after a sentence without a final full stop; empty when stacks were taken.
    /// </summary>
    public static MissingDataHint OrFindOut(PoolEvidence report) => How(report, ". To find out, ", "");

    static MissingDataHint How(PoolEvidence report, string before, string after)
    {
        after = (IsOver(report) || IsEmptyNow(report) ? " when items wait again" : Meanwhile(report)) + after;
        return report.WereStacksTaken ? MissingDataHint.None : ToStacks(report).In(before, after);
    }

    // Says when to take stacks after a recording or the end of the process, because the observed state may be over now.
    static string Meanwhile(PoolEvidence report) => !IsOfThePast(report) || IsOver(report) || IsEmptyNow(report) ? ""
        : report.Verdict == Verdict.Held ? " while the threads hang" : " while items wait";

    static bool IsEmptyNow(PoolEvidence report) =>
        IsOfThePast(report) && report.Verdict.IsStarvation() && report.Verdict != Verdict.Held && report.Timeline.Levels.QueueLength == 0;

    /// <summary>Whether there was a problem that has ended.</summary>
    public static bool IsOver(PoolEvidence report) => !report.IsNow && report.Verdict.IsTrouble();

    /// <summary>
    /// The option that names the process in a command. The id of a process that may have ended can be invalid or belong to another process.
    /// So the option then names the program and not the id.
    /// </summary>
    public static string Who(PoolEvidence report) => report.Timeline.Target.IsElsewhere ? "--dport PORT"
        : IsOfThePast(report) && report.Timeline.Target.Pid > 0 && IsOneWord(report.Timeline.Target.Name)
            ? $"-n {report.Timeline.Target.Name}"
        : $"-p {Pid(report)}";

    static bool IsOfThePast(PoolEvidence report) => report.Timeline.Source == SessionSource.Recording || report.End.IsOfTarget();

    static bool IsOneWord(string name) => name.Length > 0 && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-');

    /// <summary>The process id for a command line; a placeholder for a recording without an id.</summary>
    public static string Pid(PoolEvidence report) =>
        report.Timeline.Target.Pid is > 0 and var pid ? pid.ToString(System.Globalization.CultureInfo.InvariantCulture) : "PID";
}
