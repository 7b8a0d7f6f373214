namespace Tpwatch.Text;

/// <summary>Makes a whole sentence of what several places say in their own way: a capital at the beginning, a stop at the end.</summary>
static class Sentence
{
    /// <summary>The sentence; what begins with a quote or a dash, or ends with a mark, keeps it.</summary>
    public static string Of(string text)
    {
        if (text.Length == 0)
        {
            return text;
        }

        var stop = text[^1] is '.' or '?' or '!' or ':' or '\n' || text.Contains('\n', StringComparison.Ordinal) ? "" : ".";
        return (BeginsWithAName(text) ? text : char.ToUpperInvariant(text[0]) + text[1..]) + stop;
    }

    // A file's name, an option's, a variable's or that of the tool is written as it is written.
    static bool BeginsWithAName(string text)
    {
        var word = text.Split(' ', 2)[0].TrimEnd('.', ',', ':', ';', '?', '!');
        return word is "tpwatch" || word.AsSpan().ContainsAny('.', '/', '_');
    }
}
