using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>What to do, with the setting where it is one: behind the first sentence, which says what it does.</summary>
static class RemedyText
{
    const string Next = ". ";

    const string Use = ". Use ";

    public static string Of(Remedy remedy)
    {
        var (first, setting, after) = Parts(remedy);
        return first + setting + after;
    }

    /// <summary>In three parts: what it does, the setting, which may be marked as code, and the sentences behind it.</summary>
    public static (string First, string Setting, string After) Parts(Remedy remedy)
    {
        // A text may name a method or a file, and those the target's author named.
        var text = ForeignText.Line(remedy.Text);
        return remedy.Setting is not { } setting ? (text, "", "")
            : text.IndexOf(Next, StringComparison.Ordinal) is >= 0 and var end
                ? (text[..end] + Before(setting), Told(setting), text[end..])
                : (text.TrimEnd('.') + Before(setting), Told(setting), "");
    }

    // What is to go is not to be used.
    static string Before(string setting) => IsRemoval(setting) ? Next : Use;

    static string Told(string setting) => ForeignText.Line(IsRemoval(setting) ? $"R{setting[1..]}" : setting);

    static bool IsRemoval(string setting) => setting.StartsWith("remove ", StringComparison.Ordinal);
}
