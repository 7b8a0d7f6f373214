using System.Globalization;
using Tpwatch.Render.Shared;

namespace Tpwatch.Render.Text;

/// <summary>What a short look at many processes showed, as a table, the worst first.</summary>
static class CheckTableRenderer
{
    static readonly string[] Titles = ["pid", "name", "runtime", "verdict", "what was seen"];

    /// <summary>The table, one line a process, a title line first; lines are cut at <paramref name="width"/> when there is one.</summary>
    public static string Render(IReadOnlyList<CheckedRow> rows, int? width) =>
        TextTable.Render(Titles, [.. CheckedRow.WorstFirst(rows).Select(Cells)], width);

    static string[] Cells(CheckedRow checkedRow) =>
    [
        checkedRow.Row.Pid.ToString(CultureInfo.InvariantCulture), Words.OneLine(checkedRow.Row.Name), checkedRow.Row.Runtime ?? "?",
        checkedRow.Report is { } report ? VerdictWords.Of(report) : "not seen", checkedRow.Says,
    ];
}
