using System.Text.Json;
using System.Text.Json.Serialization;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>Renders one JSON object per line, each with its kind and the name of the schema.</summary>
sealed class NdjsonLineRenderer(bool showCommandLine) : ILineRenderer
{
    public string Decision(InjectionDelay delay, PoolReport report) => JsonSerializer.Serialize(
        new(ReportDocument.SchemaName, "decision", Utc(report, delay.End), InjectionDelaySection.Of(delay, report.Timeline)),
        JsonDocuments.Line.DelayDocument);

    public string Finding(Finding finding, PoolReport report) => JsonSerializer.Serialize(
        new(ReportDocument.SchemaName, "finding", Utc(report, finding.To), FindingSection.Of(finding, report.Timeline)),
        JsonDocuments.Line.FindingDocument);

    public string Summary(PoolReport report) => JsonSerializer.Serialize(
        new(ReportDocument.SchemaName, "summary", Numbers.UtcOf(report.Timeline, report.Timeline.Now),
            TargetSection.Of(report.Timeline.Target, showCommandLine),
            CaptureSection.Of(report), SummarySection.Of(report), ForecastSection.Of(report.Forecast, report.Timeline),
            RequestsSection.Of(report)),
        JsonDocuments.Line.SummaryDocument);

    static DateTime Utc(PoolReport report, EventTime at) => Numbers.Utc(report.Timeline.UtcOf(at));
}

/// <summary>A line of <c>--format ndjson</c> for an injection delay, which may still be open.</summary>
sealed record DelayDocument(string Schema, string Kind, DateTime Utc, InjectionDelaySection Gap);

/// <summary>A line of <c>--format ndjson</c> for a finding.</summary>
sealed record FindingDocument(string Schema, string Kind, DateTime Utc, FindingSection Finding);

/// <summary>The last line of <c>--format ndjson</c>: the summary at the end of the watch.</summary>
sealed record SummaryDocument(
    string Schema, string Kind, DateTime? Utc, TargetSection Target, CaptureSection Capture, SummarySection Summary,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] ForecastSection? Forecast,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] RequestsSection? Requests = null);

/// <summary>JSON document of the processes that tpwatch can attach to.</summary>
sealed record ProcessListDocument(string Schema, IReadOnlyList<ListedProcessSection> Processes)
{
    public const string SchemaName = "tpwatch-ps/1";
}

/// <summary>JSON object for a process that tpwatch can attach to.</summary>
sealed record ListedProcessSection(int Pid, string Name, string? Runtime, string? User, string? CommandLine)
{
    /// <summary>The first twelve digits of the container's id; left out without a container, or if unknown.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Container { get; init; }

    /// <summary>The result of a short watch; left out without <c>--check</c>.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ProcessCheckSection? Check { get; init; }
}

/// <summary>JSON object for the result of a short watch of a process.</summary>
/// <param name="Verdict">The verdict as in a report; null when the process could not be watched.</param>
/// <param name="IsNow">Whether the problem lasts at the end of the watch; null when the process could not be watched.</param>
/// <param name="StarvedMs">Total time in which items waited, milliseconds; null when not known.</param>
/// <param name="Headline">The report's headline; null when the process could not be watched.</param>
/// <param name="Failure">Why the process could not be watched; null otherwise.</param>
sealed record ProcessCheckSection(string? Verdict, bool? IsNow, double? StarvedMs, string? Headline, string? Failure);

/// <summary>Renders the processes that tpwatch can attach to as a JSON document.</summary>
static class JsonProcessListRenderer
{
    /// <summary>Returns the document as text; ends with a line break.</summary>
    public static string Render(IReadOnlyList<ProcessRow> rows, bool showCommandLine) =>
        Document(rows.OrderBy(r => r.Pid).Select(r => Section(r, showCommandLine)));

    /// <summary>Returns the document with the results of a short watch, the worst first; ends with a line break.</summary>
    public static string Render(IReadOnlyList<ProcessCheckResult> rows, bool showCommandLine) =>
        Document(ProcessCheckResult.WorstFirst(rows).Select(r => Section(r.Row, showCommandLine) with { Check = Check(r) }));

    static ListedProcessSection Section(ProcessRow row, bool showCommandLine) => new(
        row.Pid, row.Name, row.Runtime, row.User,
        showCommandLine || row.CommandLine is null ? row.CommandLine : Targets.TargetCommandLine.Shorten(row.CommandLine))
    {
        Container = row.Container,
    };

    static ProcessCheckSection Check(ProcessCheckResult row) => row.Report is { } report
        ? new(Words.Of(report.Verdict), report.IsNow, Words.IsStarvingKnown(report) ? report.StarvedMs : null, report.Headline, null)
        : new(null, null, null, null, row.Failure);

    static string Document(IEnumerable<ListedProcessSection> sections) =>
        JsonSerializer.Serialize(new(ProcessListDocument.SchemaName, [.. sections]), JsonDocuments.Indented.ProcessListDocument) + "\n";
}

/// <summary>Renders no lines during the watch and one document at its end.</summary>
sealed class EndDocumentRenderer(Func<PoolReport, string> document) : ILineRenderer
{
    public string? Decision(InjectionDelay delay, PoolReport report) => null;

    public string? Finding(Finding finding, PoolReport report) => null;

    public string Summary(PoolReport report) => document(report).TrimEnd('\n');
}
