namespace Tpwatch.Text;

/// <summary>A table with columns as wide as their longest cell; the first column holds numbers and is aligned right.</summary>
static class TextTable
{
    /// <summary>The table: the titles, then one line per row; lines are cut at <paramref name="width"/> unless it is null.</summary>
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
