using System.Text.Json.Serialization;

namespace Tpwatch.Export;

/// <summary>A line of <c>--format ndjson</c>: an injection delay, ended or open.</summary>
sealed record DecisionDocument(string Schema, string Kind, DateTime Utc, InjectionDelaySection Gap);

/// <summary>A line of <c>--format ndjson</c>: a finding.</summary>
sealed record FindingDocument(string Schema, string Kind, DateTime Utc, FindingSection Finding);

/// <summary>The last line of <c>--format ndjson</c>.</summary>
sealed record SummaryDocument(
    string Schema, string Kind, DateTime? Utc, TargetSection Target, CaptureSection Capture, SummarySection Summary,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] ForecastSection? Forecast,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] RequestsSection? Requests = null);

/// <summary>The processes that tpwatch can attach to.</summary>
sealed record ProcessListDocument(string Schema, IReadOnlyList<ProcessSection> Processes)
{
    /// <summary>Name and version of the schema.</summary>
    public const string SchemaName = "tpwatch-ps/1";
}

/// <summary>A process that tpwatch can attach to.</summary>
sealed record ProcessSection(int Pid, string Name, string? Runtime, string? User, string? CommandLine)
{
    /// <summary>The first twelve digits of its container's id; left out if it is in none, or when unknown.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Container { get; init; }

    /// <summary>The result of a short watch; left out if none was requested.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public CheckSection? Check { get; init; }
}

/// <summary>The result of a short watch of a process.</summary>
/// <param name="Verdict">As in a report; null when the process could not be watched.</param>
/// <param name="IsNow">Whether items wait at the end of the watch; null when the process could not be watched.</param>
/// <param name="StarvedMs">Total time in which items waited, milliseconds; null when not known.</param>
/// <param name="Headline">One sentence; null when the process could not be watched.</param>
/// <param name="Failure">Why the process could not be watched; null otherwise.</param>
sealed record CheckSection(string? Verdict, bool? IsNow, double? StarvedMs, string? Headline, string? Failure);
