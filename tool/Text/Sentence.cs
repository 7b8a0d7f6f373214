namespace Tpwatch.Text;

/// <summary>Makes a text a sentence: a capital letter at the beginning, a full stop at the end.</summary>
static class Sentence
{
    /// <summary>The sentence; a name at the beginning keeps its case, and a text that ends with a mark keeps it.</summary>
    public static string Of(string text)
    {
        if (text.Length == 0)
        {
            return text;
        }

        var stop = text[^1] is '.' or '?' or '!' or ':' or '\n' || text.Contains('\n', StringComparison.Ordinal) ? "" : ".";
        return (BeginsWithAName(text) ? text : char.ToUpperInvariant(text[0]) + text[1..]) + stop;
    }

    // The name of a file, an option, a variable or the tool keeps its spelling.
    static bool BeginsWithAName(string text)
    {
        var word = text.Split(' ', 2)[0].TrimEnd('.', ',', ':', ';', '?', '!');
        return word is "tpwatch" || word.AsSpan().ContainsAny('.', '/', '_');
    }
}
