namespace Tpwatch.Text;

/// <summary>Wraps sentences and aligns labels within the width of a report.</summary>
static class TextLayout
{
    /// <summary>Number of columns of a report, which fits into a chat message, a ticket and half a screen.</summary>
    public const int Width = 100;

    /// <summary>Minimum number of columns of a report; a narrower terminal breaks the lines itself.</summary>
    const int Narrowest = 60;

    const int LabelWidth = 12;

    /// <summary>Returns the columns of a report, by the terminal if there is one; a file always gets <see cref="Width"/>.</summary>
    public static int In(int? terminal, string? file = null) => file is null ? Math.Clamp(terminal ?? Width, Narrowest, Width) : Width;

    /// <summary>Returns texts with labels, in lines of up to <paramref name="width"/> columns.</summary>
    public static IEnumerable<string> Lines(IEnumerable<LabelledText> texts, int width) =>
        texts.SelectMany(t => t.Label is { } label ? Fact(label, t.Text, width) : Wrap(t.Text, width: width));

    /// <summary>Returns the text in lines of up to <paramref name="width"/> columns, each after <paramref name="indent"/> blanks.</summary>
    public static IEnumerable<string> Wrap(string text, int indent = 0, int width = Width)
    {
        var room = width - indent;
        var line = "";
        foreach (var word in Measures(text.Split(' ', StringSplitOptions.RemoveEmptyEntries)).SelectMany(w => Pieces(w, room)))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > room)
            {
                yield return new string(' ', indent) + line;
                line = "";
            }

            line = line.Length == 0 ? word : $"{line} {word}";
        }

        yield return (new string(' ', indent) + line).TrimEnd();
    }

    /// <summary>Returns the title of a section as the section's first line.</summary>
    public static IEnumerable<string> Title(string title) => Enumerable.Repeat(title, 1);

    /// <summary>Returns the lines of a labelled fact: the label at the left, and the wrapped text to the right of the label.</summary>
    public static IEnumerable<string> Fact(string label, string text, int width = Width) =>
        Wrap(text, LabelWidth + 2, width).Select((line, i) => i == 0 ? $"  {label.PadRight(LabelWidth)}{line[(LabelWidth + 2)..]}" : line);

    /// <summary>Returns the lines of an item of a list.</summary>
    public static IEnumerable<string> Point(string mark, string text, int indent) =>
        Wrap(text, indent + mark.Length + 1)
            .Select((line, i) => i == 0 ? new string(' ', indent) + mark + line[(indent + mark.Length)..] : line);

    // Joins a number and its unit, which must stay on one line.
    static IEnumerable<string> Measures(string[] words)
    {
        for (var i = 0; i < words.Length; i++)
        {
            var isMeasure = i + 1 < words.Length && char.IsAsciiDigit(words[i][^1]) && IsUnit(words[i + 1]);
            yield return isMeasure ? $"{words[i]} {words[++i]}" : words[i];
        }
    }

    static bool IsUnit(string word) => word.TrimEnd(';', ',', '.', ')') is "s" or "ms" or "min" or "h";

    // Splits a word that is longer than a line, such as a path or a setting.
    static IEnumerable<string> Pieces(string word, int room) => word.Chunk(room).Select(piece => new string(piece));
}

/// <summary>A table with columns as wide as their longest cell; the first column holds numbers and is aligned right.</summary>
static class TextTable
{
    /// <summary>Returns the table: the titles, then one line per row. Lines are cut at <paramref name="width"/>, if not null.</summary>
    public static string Render(string[] titles, IReadOnlyList<string[]> rows, int? width)
    {
        var cells = rows.Prepend(titles).ToList();
        var widths = Enumerable.Range(0, titles.Length).Select(column => cells.Max(row => row[column].Length)).ToArray();
        return string.Concat(cells.Select(row => Cut(Line(row, widths), width) + "\n"));
    }

    static string Line(string[] row, int[] widths) =>
        string.Join("  ", row.Select((cell, i) => i == 0 ? cell.PadLeft(widths[i]) : cell.PadRight(widths[i]))).TrimEnd();

    static string Cut(string line, int? width) => width is { } w && line.Length > w ? line[..Math.Max(0, w - 1)] + "…" : line;
}

/// <summary>Makes a text a sentence: a capital letter at the beginning, a full stop at the end.</summary>
static class Sentence
{
    /// <summary>Returns the sentence. A name at the beginning keeps its case; no full stop follows a punctuation mark.</summary>
    public static string Of(string text)
    {
        if (text.Length == 0)
        {
            return text;
        }

        var stop = text[^1] is '.' or '?' or '!' or ':' or '\n' || text.Contains('\n', StringComparison.Ordinal) ? "" : ".";
        return (BeginsWithAName(text) ? text : char.ToUpperInvariant(text[0]) + text[1..]) + stop;
    }

    // Whether the first word is the name of a file, a variable or tpwatch, whose spelling must not change.
    static bool BeginsWithAName(string text)
    {
        var word = text.Split(' ', 2)[0].TrimEnd('.', ',', ':', ';', '?', '!');
        return word is "tpwatch" || word.AsSpan().ContainsAny('.', '/', '_');
    }
}
