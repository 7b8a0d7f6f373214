using System.Text.Json;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>Renders one JSON object per line, each with its kind and the schema's version.</summary>
sealed class NdjsonLineRenderer(bool showCommandLine) : ILineRenderer
{
    public string Decision(InjectionDelay delay, PoolReport report) => JsonSerializer.Serialize(
        new(ReportDocument.SchemaName, "decision", Utc(report, delay.End), InjectionDelaySection.Of(delay, report.Timeline)),
        JsonDocuments.Line.DecisionDocument);

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
