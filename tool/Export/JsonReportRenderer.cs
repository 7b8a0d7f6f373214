using System.Text.Json;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>Renders a report as JSON, schema <c>tpwatch-report/1</c>.</summary>
static class JsonReportRenderer
{
    /// <summary>Returns the document as text; ends with a line break.</summary>
    /// <param name="report">The report.</param>
    /// <param name="now">Time of writing, UTC. The document of a recording contains the end of the recording instead.</param>
    /// <param name="version">Version of the tool.</param>
    /// <param name="showCommandLine">Whether the target's command line is written in full.</param>
    public static string Render(PoolReport report, DateTime now, string version, bool showCommandLine) =>
        JsonSerializer.Serialize(Document(report, now, version, showCommandLine), JsonDocuments.Indented.ReportDocument) + "\n";

    static ReportDocument Document(PoolReport report, DateTime now, string version, bool showCommandLine)
    {
        var timeline = report.Timeline;
        var moment = timeline.Source == SessionSource.Recording ? timeline.UtcOf(timeline.Now) : now;
        return new(
            ReportDocument.SchemaName, new(version), Numbers.Utc(moment), TargetSection.Of(timeline.Target, showCommandLine),
            CaptureSection.Of(report), SummarySection.Of(report), [.. report.Episodes.Select(e => EpisodeSection.Of(report, e))],
            SeriesPoint.Of(timeline), [.. report.InjectionDelays.Select(g => InjectionDelaySection.Of(g, timeline))],
            [.. report.Findings.Select(f => FindingSection.Of(f, timeline))],
            [.. report.Undecided.Select(u => new UndecidedSection(u.Id, u.Missing, Words.Of(u.Kind)))],
                [.. report.Clear.Select(id => new ClearSection(id))],
            ForecastSection.Of(report.Forecast, timeline), WhatIfSection.Of(report),
            DistributionSection.Of(report.QueueDelay, report.Items?.HealthyDelay, report.Items?.StarvedDelay),
            DistributionSection.Of(report.RunTime, report.Items?.HealthyRun, report.Items?.StarvedRun),
            ItemsSection.Of(report.Items, timeline),
            BlockerSection.Of(report), BurstsSection.Of(report), RequestsSection.Of(report), InsideSection.Of(report));
    }
}
