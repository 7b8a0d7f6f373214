using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>The remedy as text, with its setting if there is one: after the first sentence, which says what the setting does.</summary>
static class RemedyText
{
    public static string Of(Remedy remedy)
    {
        var (first, setting, after) = Parts(remedy);
        return first + setting + after;
    }

    /// <summary>
    /// The text in three parts: the sentence that says what it does, the setting, which may be marked as code, and the following sentences.
    /// </summary>
    public static (string First, string Setting, string After) Parts(Remedy remedy)
    {
        // A text may contain names of methods or files, which come from the target's author.
        var text = UntrustedText.Line(remedy.Text);
        // A setting to remove is not introduced by "Use".
        return remedy.Setting is not { } setting ? (text, "", "")
            : (text[..^remedy.After.Length].TrimEnd('.') + (remedy.Removes ? ". " : ". Use "),
                UntrustedText.Line(remedy.Removes ? $"{char.ToUpperInvariant(setting[0])}{setting[1..]}" : setting),
                remedy.After.Length > 0 ? $".{text[^remedy.After.Length..]}" : "");
    }
}
