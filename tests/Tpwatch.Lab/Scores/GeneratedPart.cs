namespace Tpwatch.Lab.Scores;

/// <summary>A part of a text between two markers, so that a program can write it anew and leave the rest alone.</summary>
static class GeneratedPart
{
    /// <summary>The text with that part replaced; appended where there is none yet.</summary>
    public static string Replace(string text, string name, string part)
    {
        var (begin, end) = ($"<!-- {name}: generated -->\n", $"<!-- {name}: end -->\n");
        var block = $"{begin}\n{part.Trim('\n')}\n\n{end}";
        var (from, to) = (text.IndexOf(begin, StringComparison.Ordinal), text.IndexOf(end, StringComparison.Ordinal));
        return from < 0 || to < from
            ? $"{text.TrimEnd('\n')}\n\n{block}"
            : $"{text[..from]}{block}{text[(to + end.Length)..]}";
    }

    /// <summary>Writes that part of a file and leaves the rest alone; the text of the file as it is now.</summary>
    public static string Write(string file, string name, string part)
    {
        var text = Replace(File.ReadAllText(file).ReplaceLineEndings("\n"), name, part);
        File.WriteAllText(file, text);
        return text;
    }
}
