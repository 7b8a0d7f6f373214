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
        // A setting to remove is not introduced by "Use".
        return remedy.Setting is not { } setting ? (text, "", "")
            : (text[..^remedy.After.Length].TrimEnd('.') + (remedy.Removes ? ". " : ". Use "),
                UntrustedText.Line(remedy.Removes ? $"{char.ToUpperInvariant(setting[0])}{setting[1..]}" : setting),
                remedy.After.Length > 0 ? $".{text[^remedy.After.Length..]}" : "");
    }
}

/// <summary>Selects the remedy that helps until the cause is fixed, or the refusal, which says why no remedy helps.</summary>
static class Workaround
{
    /// <summary>
    /// Returns the leading finding's workaround or refusal, else another finding's workaround, else the leading finding's setting.
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

    /// <summary>Returns the label of the remedy.</summary>
    public static string Label(Remedy remedy) => remedy.Kind switch
    {
        RemedyKind.Workaround => "workaround",
        RemedyKind.Refusal => "do not",
        _ => "or",
    };

    /// <summary>Returns the text of the remedy without the word that the label already contains.</summary>
    public static string Text(Remedy remedy) => RemedyWords.Of(remedy with { Text = remedy.Unlabelled ?? remedy.Text });
}
