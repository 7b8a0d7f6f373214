using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>What helps until the cause is mended, or why nothing does.</summary>
static class Workaround
{
    const string Named = "Workaround";

    /// <summary>Of the finding that says why; where that sends the reader to another's, this one. Null where there is none.</summary>
    public static Remedy? Of(PoolReport report, Finding? leading)
    {
        if (leading is null)
        {
            return null;
        }

        var own = leading.Remedies.Skip(1).ToArray();
        return own.FirstOrDefault(IsNamed)
            ?? own.FirstOrDefault(r => r.Setting is null && IsRefusal(r))
            ?? report.Findings.SelectMany(f => f.Remedies).FirstOrDefault(IsNamed)
            ?? own.FirstOrDefault(r => r.Setting is not null);
    }

    /// <summary>What stands beside it.</summary>
    public static string Label(Remedy remedy) => IsNamed(remedy) ? "workaround" : IsRefusal(remedy) ? "do not" : "or";

    /// <summary>The text, without the word that the label says already.</summary>
    public static string Text(Remedy remedy)
    {
        var text = RemedyText.Of(remedy);
        return text.StartsWith(Named, StringComparison.Ordinal) ? Capital(text[Named.Length..].TrimStart(':', ',', ' '))
            : text.StartsWith("Do not ", StringComparison.Ordinal) ? text["Do not ".Length..]
            : text;
    }

    static string Capital(string text) => char.ToUpperInvariant(text[0]) + text[1..];

    static bool IsNamed(Remedy remedy) => remedy.Setting is not null && remedy.Text.StartsWith(Named, StringComparison.Ordinal);

    static bool IsRefusal(Remedy remedy) => remedy.Text.StartsWith("Do not ", StringComparison.Ordinal);
}
