using System.Text.Json.Serialization;

namespace Tpwatch.Export;

/// <summary>A line of <c>--format ndjson</c> for an injection delay that has ended or is open.</summary>
sealed record DecisionDocument(string Schema, string Kind, DateTime Utc, InjectionDelaySection Gap);

/// <summary>A line of <c>--format ndjson</c> for a finding.</summary>
sealed record FindingDocument(string Schema, string Kind, DateTime Utc, FindingSection Finding);

/// <summary>The last line of <c>--format ndjson</c>, which is the summary.</summary>
sealed record SummaryDocument(
    string Schema, string Kind, DateTime? Utc, TargetSection Target, CaptureSection Capture, SummarySection Summary,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] ForecastSection? Forecast,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] RequestsSection? Requests = null);

/// <summary>JSON document of the processes that tpwatch can attach to.</summary>
sealed record ProcessListDocument(string Schema, IReadOnlyList<ProcessSection> Processes)
{
    /// <summary>Name and version of the schema.</summary>
    public const string SchemaName = "tpwatch-ps/1";
}

/// <summary>JSON object for a process that tpwatch can attach to.</summary>
sealed record ProcessSection(int Pid, string Name, string? Runtime, string? User, string? CommandLine)
{
    /// <summary>The first twelve digits of the container's id; left out if the process is in no container, or if unknown.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Container { get; init; }

    /// <summary>The result of a short watch; left out if no watch was requested.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public CheckSection? Check { get; init; }
}

/// <summary>JSON object for the result of a short watch of a process.</summary>
/// <param name="Verdict">The verdict as in a report; null when the process could not be watched.</param>
/// <param name="IsNow">Whether items wait at the end of the watch; null when the process could not be watched.</param>
/// <param name="StarvedMs">Total time in which items waited, milliseconds; null when not known.</param>
/// <param name="Headline">The report's headline; null when the process could not be watched.</param>
/// <param name="Failure">Why the process could not be watched; null otherwise.</param>
sealed record CheckSection(string? Verdict, bool? IsNow, double? StarvedMs, string? Headline, string? Failure);
