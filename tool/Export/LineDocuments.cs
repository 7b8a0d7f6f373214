using System.Text.Json.Serialization;

namespace Tpwatch.Export;

/// <summary>A line of <c>--format ndjson</c>: a wait for a worker that ended, or lasts.</summary>
sealed record DecisionDocument(string Schema, string Kind, DateTime Utc, GapSection Gap);

/// <summary>A line of <c>--format ndjson</c>: something that was found.</summary>
sealed record FindingDocument(string Schema, string Kind, DateTime Utc, FindingSection Finding);

/// <summary>The last line of <c>--format ndjson</c>.</summary>
sealed record SummaryDocument(
    string Schema, string Kind, DateTime? Utc, TargetSection Target, CaptureSection Capture, SummarySection Summary,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] ForecastSection? Forecast,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] RequestsSection? Requests = null);

/// <summary>The processes that one can attach to.</summary>
sealed record ProcessListDocument(string Schema, IReadOnlyList<ProcessSection> Processes)
{
    /// <summary>Name and version of the schema.</summary>
    public const string SchemaName = "tpwatch-ps/1";
}

/// <summary>A process that one can attach to.</summary>
sealed record ProcessSection(int Pid, string Name, string? Runtime, string? User, string? CommandLine)
{
    /// <summary>Twelve digits of its container's id; left out where it is in none, or none shows.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Container { get; init; }

    /// <summary>What a short look showed; left out when nobody asked for one.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public CheckSection? Check { get; init; }
}

/// <summary>What a short look at a process showed.</summary>
/// <param name="Verdict">As in a report; null when nothing could be seen.</param>
/// <param name="IsNow">Whether items wait at the end of the look; null when nothing could be seen.</param>
/// <param name="StarvedMs">For how long they waited, milliseconds; null when that is not known.</param>
/// <param name="Headline">One sentence; null when nothing could be seen.</param>
/// <param name="Failure">Why nothing could be seen; null when something was.</param>
sealed record CheckSection(string? Verdict, bool? IsNow, double? StarvedMs, string? Headline, string? Failure);
