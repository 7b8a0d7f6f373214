using System.Text.Json.Serialization;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Export;

/// <summary>
/// The answer of <c>whatif</c>, schema <c>tpwatch-whatif/1</c>; times in milliseconds, in the curve since the first item; unknown values
/// are null.
/// </summary>
sealed record WhatIfDocument(
    string Schema, ToolSection Tool, DateTime GeneratedAt, TargetSection Target, CaptureSection Capture, WhatIfChangeSection Change,
    WhatIfFiguresSection Seen, WhatIfFiguresSection Same, WhatIfFiguresSection? Imagined,
    WhatIfFiguresSection? Changed, WhatIfFiguresSection? Worst, string? Unknown,
    IReadOnlyList<WhatIfPointSection> Curve, string Basis, string Uncertainty, double? ErrorShare, IReadOnlyList<string> Remarks)
{
    /// <summary>Name and version of the schema.</summary>
    public const string SchemaName = "tpwatch-whatif/1";
}

/// <summary>The change, and the pool settings after it.</summary>
sealed record WhatIfChangeSection(string Text, int Processors, int MinWorkers, int? MaxWorkers, bool Async, string? Policy, string Clock)
{
    public static WhatIfChangeSection Of(WhatIfAnswer answer) => new(
        answer.Change.Words, answer.Settings.Processors, answer.Settings.Min, answer.Settings.Max, answer.Change.Async,
        answer.Change.Policy is { } policy ? Words.Of(policy) : null, answer.Change.WindowsClock ? "windows" : "linux");
}

/// <summary>The figures of a run, measured or simulated.</summary>
sealed record WhatIfFiguresSection(
    double? TotalMs, double? StartDelayMs, double? LatencyMs, int? PeakWorkers, long? PeakBacklog, double StarvedMs, int NeverStarted)
{
    /// <summary>Converts the figures.</summary>
    public static WhatIfFiguresSection Of(WhatIfFigures figures) => new(
        Numbers.Ms(figures.TotalMs), Numbers.Ms(figures.StartDelayMs),
        Numbers.Ms(figures.LatencyMs), figures.PeakWorkers, figures.PeakQueueLength,
        Math.Round(figures.StarvedMs, 3), figures.NeverStarted);
}

/// <summary>Worker threads and queue length, measured and simulated, in the interval that begins at <c>t</c> (milliseconds).</summary>
sealed record WhatIfPointSection(double T, int? SeenWorkers, long? SeenBacklog, int? Workers, long? Backlog);

/// <summary>A change that the report simulated by itself.</summary>
sealed record WhatIfSection(
    string Change,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Effect,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Basis,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Uncertainty,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Unknown)
{
    /// <summary>The simulated changes of a report; null if there are none, and the property is left out.</summary>
    public static IReadOnlyList<WhatIfSection>? Of(PoolReport report) => report.WhatIf.IsEmpty
        ? null
        : [.. report.WhatIf.Select(Of)];

    static WhatIfSection Of(WhatIfEffect one) => one.Unknown is null
        ? new(one.Change, one.Effect, one.Basis, one.Uncertainty, null)
        : new(one.Change, null, null, null, one.Unknown);
}
