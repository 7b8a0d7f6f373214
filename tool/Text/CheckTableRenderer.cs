using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>The results of a short watch of many processes as a table, the worst first.</summary>
static class CheckTableRenderer
{
    /// <summary>Columns if there is no terminal.</summary>
    public const int Width = 120;

    /// <summary>Longer names are cut, so that verdict and cause stay visible.</summary>
    const int NameWidth = 32;

    static readonly string[] Titles = ["pid", "name", "verdict", "since", "cause"];

    /// <summary>The table: a title line, then one line per process; lines are cut at <paramref name="width"/>.</summary>
    public static string Render(IReadOnlyList<CheckedRow> rows, int? width) =>
        TextTable.Render(Titles, [.. CheckedRow.WorstFirst(rows).Select(Cells)], width ?? Width);

    static string[] Cells(CheckedRow row) =>
    [
        row.Row.Pid.ToString(CultureInfo.InvariantCulture), Cut(Words.OneLine(row.Row.Name)),
        row.Report is { } report ? VerdictWords.Of(report.Verdict) : "not seen",
        row.Report is { Since: { } since } seen ? Since(seen, since) : "",
        row.Report is null ? row.Says : Blocker(row.Report),
    ];

    static string Since(PoolReport report, EventTime since) => (StartObserved.IsSeen(report, since) ? "" : "before ")
        + TimeStyles.Second(report.Timeline, since) + (report.IsNow ? "" : ", ended");

    static string Blocker(PoolReport report) => report.Verdict switch
    {
        Verdict.Healthy => "",
        Verdict.Undecided => Words.OneLine(report.Lack is { } lack ? $"{lack}." : report.Headline),
        _ => Words.OneLine(CauseWords.Of(report)),
    };

    static string Cut(string name) => name.Length <= NameWidth ? name : name[..(NameWidth - 1)] + "…";
}
