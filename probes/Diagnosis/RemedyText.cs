using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>The remedy as text, with its setting if there is one: after the first sentence, which says what the setting does.</summary>
static class RemedyText
{
    const string Next = ". ";

    const string Use = ". Use ";

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
        return remedy.Setting is not { } setting ? (text, "", "")
            : text.IndexOf(Next, StringComparison.Ordinal) is >= 0 and var end
                ? (text[..end] + Before(setting), Told(setting), text[end..])
                : (text.TrimEnd('.') + Before(setting), Told(setting), "");
    }

    // A setting to remove is not introduced by "Use".
    static string Before(string setting) => IsRemoval(setting) ? Next : Use;

    static string Told(string setting) => UntrustedText.Line(IsRemoval(setting) ? $"R{setting[1..]}" : setting);

    static bool IsRemoval(string setting) => setting.StartsWith("remove ", StringComparison.Ordinal);
}
