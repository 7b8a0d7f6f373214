using System.Text.Json;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>Renders the processes that tpwatch can attach to as JSON.</summary>
static class JsonProcessListRenderer
{
    /// <summary>Returns the document as text; ends with a line break.</summary>
    public static string Render(IReadOnlyList<ProcessRow> rows, bool showCommandLine) =>
        Document(rows.OrderBy(r => r.Pid).Select(r => Section(r, showCommandLine)));

    /// <summary>Returns the document with the result of a short watch of each process, the worst first; ends with a line break.</summary>
    public static string Render(IReadOnlyList<CheckedRow> rows, bool showCommandLine) =>
        Document(CheckedRow.WorstFirst(rows).Select(r => Section(r.Row, showCommandLine) with { Check = Check(r) }));

    static ProcessSection Section(ProcessRow row, bool showCommandLine) => new(
        row.Pid, row.Name, row.Runtime, row.User,
        showCommandLine || row.CommandLine is null ? row.CommandLine : Targets.CommandLine.Shorten(row.CommandLine))
    {
        Container = row.Container,
    };

    static CheckSection Check(CheckedRow row) => row.Report is { } report
        ? new(Words.Of(report.Verdict), report.IsNow, Words.IsStarvingKnown(report) ? report.StarvedMs : null, report.Headline, null)
        : new(null, null, null, null, row.Failure);

    static string Document(IEnumerable<ProcessSection> sections) =>
        JsonSerializer.Serialize(new(ProcessListDocument.SchemaName, [.. sections]), JsonDocuments.Indented.ProcessListDocument) + "\n";
}
