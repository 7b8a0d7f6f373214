using System.Text.Json.Serialization;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON document, schema <c>tpwatch-report/1</c>; times in milliseconds since <c>capture.start</c>, unknown values null.</summary>
sealed record ReportDocument(
    string Schema, ToolSection Tool, DateTime GeneratedAt, TargetSection Target, CaptureSection Capture, SummarySection Summary,
    IReadOnlyList<EpisodeSection> Episodes, IReadOnlyList<SeriesPoint> Series, IReadOnlyList<InjectionDelaySection> Gaps,
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

/// <summary>The version of tpwatch that wrote the report.</summary>
sealed record ToolSection(string Version);

/// <summary>A rule that is undecided, and the data that is missing; a document from an earlier version has no kind.</summary>
sealed record UndecidedSection(string Id, string Missing, string? Kind = null);

/// <summary>A rule that was evaluated and found no problem.</summary>
sealed record ClearSection(string Id);
