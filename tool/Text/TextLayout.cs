namespace Tpwatch.Text;

/// <summary>Lays out text in columns: wraps sentences into lines and puts labels to the left.</summary>
static class TextLayout
{
    /// <summary>Maximum number of columns of a report, so that a report fits into a chat message or half a screen.</summary>
    public const int Width = 100;

    /// <summary>Minimum number of columns of a report; in a narrower terminal, the terminal itself breaks the lines.</summary>
    const int Narrowest = 60;

    const int LabelWidth = 12;

    /// <summary>Returns the number of columns of a report: <see cref="Width"/> for a file, else the terminal's, within limits.</summary>
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

    /// <summary>Returns a label and, to its right, a text in lines of up to <paramref name="width"/> columns.</summary>
    public static IEnumerable<string> Fact(string label, string text, int width = Width, int labelWidth = LabelWidth) =>
        Wrap(text, labelWidth + 2, width).Select((line, i) => i == 0 ? $"  {label.PadRight(labelWidth)}{line[(labelWidth + 2)..]}" : line);

    /// <summary>Returns a list item: a mark and, to its right, a text in lines.</summary>
    public static IEnumerable<string> Point(string mark, string text, int indent) =>
        Wrap(text, indent + mark.Length + 1)
            .Select((line, i) => i == 0 ? new string(' ', indent) + mark + line[(indent + mark.Length)..] : line);

    // Joins a number and its unit to one word, so that no line break separates them.
    static IEnumerable<string> Measures(string[] words)
    {
        for (var i = 0; i < words.Length; i++)
        {
            var isMeasure = i + 1 < words.Length && char.IsAsciiDigit(words[i][^1]) && IsUnit(words[i + 1]);
            yield return isMeasure ? $"{words[i]} {words[++i]}" : words[i];
        }
    }

    static bool IsUnit(string word) => word.TrimEnd(';', ',', '.', ')') is "s" or "ms" or "min" or "h";

    // Splits a word that is longer than a line, such as a path.
    static IEnumerable<string> Pieces(string word, int room) => word.Chunk(room).Select(piece => new string(piece));
}

/// <summary>Renders a table whose columns are as wide as their longest cell. The first column is aligned right, for numbers.</summary>
static class TextTable
{
    /// <summary>Returns the titles, then one line per row. Lines are cut at <paramref name="width"/> if not null.</summary>
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

/// <summary>Turns a text into a sentence: a capital letter at the beginning, a full stop at the end.</summary>
static class Sentence
{
    /// <summary>Returns the sentence. A name at the beginning keeps its case; no full stop follows another punctuation mark.</summary>
    public static string Of(string text)
    {
        if (text.Length == 0)
        {
            return text;
        }

        var stop = text[^1] is '.' or '?' or '!' or ':' or '\n' || text.Contains('\n', StringComparison.Ordinal) ? "" : ".";
        return (BeginsWithAName(text) ? text : char.ToUpperInvariant(text[0]) + text[1..]) + stop;
    }

    /// <summary>Returns the text without <paramref name="beginning"/>, if the text begins with it.</summary>
    public static string Without(string beginning, string text) =>
        text.StartsWith(beginning, StringComparison.Ordinal) ? text[beginning.Length..] : text;

    // Whether the first word is a file name, a variable or "tpwatch", whose case must not change.
    static bool BeginsWithAName(string text)
    {
        var word = text.Split(' ', 2)[0].TrimEnd('.', ',', ':', ';', '?', '!');
        return word is "tpwatch" || word.AsSpan().ContainsAny('.', '/', '_');
    }
}
