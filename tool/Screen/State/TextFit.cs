namespace Tpwatch.Screen.State;

/// <summary>Wraps and shortens texts to a width in characters.</summary>
static class TextFit
{
    /// <summary>
    /// Breaks a text at blanks. The maximum number of lines is <paramref name="lines"/>, the maximum length of a line is
    /// <paramref name="width"/>. The last line ends with two dots when text is left over.
    /// </summary>
    public static IReadOnlyList<string> Wrap(string text, int width, int lines)
    {
        var result = new List<string>();
        var rest = text.Trim();
        while (rest.Length > 0 && result.Count < lines && width > 0)
        {
            if (rest.Length <= width || result.Count == lines - 1)
            {
                result.Add(Whole(rest, width));
                break;
            }

            var blank = rest.LastIndexOf(' ', width);
            var end = blank > 0 ? blank : width;
            result.Add(rest[..end].TrimEnd());
            rest = rest[end..].TrimStart();
        }

        return result;
    }

    /// <summary>Cuts a text to at most <paramref name="width"/> characters; a cut text ends with two dots.</summary>
    public static string Cut(string text, int width) =>
        text.Length <= width ? text : width < 3 ? text[..Math.Max(0, width)] : text[..(width - 2)].TrimEnd() + "..";

    /// <summary>Cuts a text like <see cref="Cut"/>, but at a blank where there is one.</summary>
    public static string Whole(string text, int width)
    {
        var blank = text.Length <= width || width < 3 ? -1 : text.LastIndexOf(' ', width - 2);
        return blank > 0 ? text[..blank].TrimEnd() + ".." : Cut(text, width);
    }

    /// <summary>Joins the parts that fit into the width, in their order.</summary>
    public static string Fit(IEnumerable<string> parts, int width, string between = "  ")
    {
        var line = "";
        foreach (var part in parts.Where(p => p.Length > 0))
        {
            var longer = line.Length == 0 ? part : line + between + part;
            line = longer.TrimEnd().Length <= width ? longer : line;
        }

        return line.TrimEnd();
    }
}
