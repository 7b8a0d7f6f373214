using System.Text.Json.Serialization;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>The report as schema <c>tpwatch-report/1</c> says; times in milliseconds since <c>capture.start</c>, unknown is null.</summary>
sealed record ReportDocument(
    string Schema, ToolSection Tool, DateTime GeneratedAt, TargetSection Target, CaptureSection Capture, SummarySection Summary,
    IReadOnlyList<EpisodeSection> Episodes, IReadOnlyList<SeriesPoint> Series, IReadOnlyList<GapSection> Gaps,
    IReadOnlyList<FindingSection> Findings, IReadOnlyList<UndecidedSection> Undecided, IReadOnlyList<ClearSection> Clear,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] ForecastSection? Forecast,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IReadOnlyList<WhatIfSection>? WhatIf,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] DistributionSection? QueueDelay = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] DistributionSection? RunTime = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] ItemsSection? Items = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IReadOnlyList<BlockerSection>? Blockers = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] BurstsSection? Bursts = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] RequestsSection? Requests = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] InsideSection? Inside = null)
{
    /// <summary>Name and version of the schema.</summary>
    public const string SchemaName = "tpwatch-report/1";
}

/// <summary>Who wrote the report.</summary>
sealed record ToolSection(string Version);

/// <summary>A rule that lacks something to decide.</summary>
sealed record UndecidedSection(string Id, string Missing);

/// <summary>A rule that looked and found nothing.</summary>
sealed record ClearSection(string Id);
