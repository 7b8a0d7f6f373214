using System.Globalization;

namespace Tpwatch.Render.Text;

/// <summary>The processes that one can attach to, as a table.</summary>
internal static class ProcessTableRenderer
{
    static readonly string[] Titles = ["pid", "name", "runtime", "user", "command line"];

    /// <summary>The table, one line a process, a title line first; lines are cut at <paramref name="width"/> when there is one.</summary>
    public static string Render(IReadOnlyList<ProcessRow> rows, bool showCommandLine, int? width)
    {
        var cells = rows.OrderBy(r => r.Pid).Select(r => Cells(r, showCommandLine)).Prepend(Titles).ToList();
        var widths = Enumerable.Range(0, Titles.Length).Select(column => cells.Max(row => row[column].Length)).ToArray();
        return string.Concat(cells.Select(row => Cut(Line(row, widths), width) + "\n"));
    }

    static string[] Cells(ProcessRow row, bool showCommandLine) =>
    [
        row.Pid.ToString(CultureInfo.InvariantCulture), Words.OneLine(row.Name), row.Runtime ?? "?", row.User ?? "?",
        row.CommandLine is { } c ? Words.OneLine(showCommandLine ? c : Attach.Processes.CommandLine.Shorten(c)) : "?",
    ];

    static string Line(string[] row, int[] widths) =>
        string.Join("  ", row.Select((cell, i) => i == 0 ? cell.PadLeft(widths[i]) : cell.PadRight(widths[i]))).TrimEnd();

    static string Cut(string line, int? width) => width is { } w && line.Length > w ? line[..Math.Max(0, w - 1)] + "…" : line;
}
