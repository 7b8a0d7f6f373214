namespace Tpwatch.Text;

/// <summary>The processes that tpwatch can attach to, as a table.</summary>
static class ProcessTableRenderer
{
    static readonly string[] Titles = ["pid", "name", "runtime", "user", "command line"];

    /// <summary>Index of the container column, shown if any process is in a container.</summary>
    const int ContainerAt = 4;

    /// <summary>The table: a title line, then one line per process; lines are cut at <paramref name="width"/> unless it is null.</summary>
    public static string Render(IReadOnlyList<ProcessRow> rows, bool showCommandLine, int? width)
    {
        var contained = rows.Any(r => r.Container is not null);
        return TextTable.Render(
            With("container", Titles, contained),
            [.. rows.OrderBy(r => r.Pid).Select(r => With(r.Container ?? "", Cells(r, showCommandLine), contained))], width);
    }

    static string[] With(string container, string[] cells, bool contained) =>
        contained ? [.. cells[..ContainerAt], container, .. cells[ContainerAt..]] : cells;

    static string[] Cells(ProcessRow row, bool showCommandLine) =>
    [
        row.Pid.ToString(CultureInfo.InvariantCulture), Words.OneLine(row.Name), row.Runtime ?? "?", row.User ?? "?",
        row.CommandLine is { } c ? Words.OneLine(showCommandLine ? c : Targets.CommandLine.Shorten(c)) : "?",
    ];
}
