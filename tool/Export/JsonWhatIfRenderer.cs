using System.Text.Json;
using System.Text.Json.Serialization;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Export;

/// <summary>Renders the answer of <c>whatif</c> as JSON.</summary>
static class JsonWhatIfRenderer
{
    /// <summary>Number of points of the curve.</summary>
    const int Points = 200;

    /// <summary>Returns the document as text; ends with a line break.</summary>
    /// <param name="now">Time of writing, UTC. For a recording, the document has the time of the recording's end instead.</param>
    public static string Render(PoolReport report, WhatIfAnswer answer, DateTime now, string version, bool showCommandLine)
    {
        var timeline = report.Timeline;
        var moment = timeline.Source == SessionSource.Recording ? timeline.UtcOf(timeline.Now) : now;
        var changed = answer.Unknown is null ? WhatIfFiguresSection.Of(answer.Simulated) : null;
        var document = new WhatIfDocument(
            WhatIfDocument.SchemaName, new(version), Numbers.Utc(moment), TargetSection.Of(timeline.Target, showCommandLine),
            CaptureSection.Of(report), WhatIfChangeSection.Of(answer),
            WhatIfFiguresSection.Of(answer.Seen), WhatIfFiguresSection.Of(answer.Same),
            changed, changed, changed is null ? null : WhatIfFiguresSection.Of(answer.Worst ?? answer.Simulated), answer.Unknown,
            changed is null ? [] : [.. WhatIfCurve.Of(report, answer, Points).Select(Point)], answer.Basis, answer.Uncertainty,
            Numbers.Share(answer.ErrorShare), answer.Remarks);
        return JsonSerializer.Serialize(document, JsonDocuments.Indented.WhatIfDocument) + "\n";
    }

    static WhatIfPointSection Point(WhatIfColumn column) =>
        new(Math.Round(column.FromMs, 3), column.SeenWorkers, column.SeenQueueLength, column.Workers, column.QueueLength);
}

/// <summary>
/// JSON document of a <c>whatif</c> answer, schema <c>tpwatch-whatif/1</c>. Times are in milliseconds; times of the curve count from the
/// first item. Unknown values are null.
/// </summary>
sealed record WhatIfDocument(
    string Schema, ToolSection Tool, DateTime GeneratedAt, TargetSection Target, CaptureSection Capture, WhatIfChangeSection Change,
    WhatIfFiguresSection Seen, WhatIfFiguresSection Same, WhatIfFiguresSection? Imagined,
    WhatIfFiguresSection? Changed, WhatIfFiguresSection? Worst, string? Unknown,
    IReadOnlyList<WhatIfPointSection> Curve, string Basis, string Uncertainty, double? ErrorShare, IReadOnlyList<string> Remarks)
{
    public const string SchemaName = "tpwatch-whatif/1";
}

/// <summary>JSON object for the simulated change and the pool settings that result from it.</summary>
sealed record WhatIfChangeSection(string Text, int Processors, int MinWorkers, int? MaxWorkers, bool Async, string? Policy, string Clock)
{
    public static WhatIfChangeSection Of(WhatIfAnswer answer) => new(
        answer.Change.Words, answer.Settings.Processors, answer.Settings.Min, answer.Settings.Max, answer.Change.Async,
        answer.Change.Policy is { } policy ? Words.Of(policy) : null, answer.Change.WindowsClock ? "windows" : "linux");
}

/// <summary>JSON object for the figures of a measured or simulated run.</summary>
sealed record WhatIfFiguresSection(
    double? TotalMs, double? StartDelayMs, double? LatencyMs, int? PeakWorkers, long? PeakBacklog, double StarvedMs, int NeverStarted)
{
    public static WhatIfFiguresSection Of(WhatIfFigures figures) => new(
        Numbers.Ms(figures.TotalMs), Numbers.Ms(figures.StartDelayMs),
        Numbers.Ms(figures.LatencyMs), figures.PeakWorkers, figures.PeakQueueLength,
        Math.Round(figures.StarvedMs, 3), figures.NeverStarted);
}

/// <summary>JSON object for worker threads and queue length, measured and simulated, from <c>t</c> milliseconds on.</summary>
sealed record WhatIfPointSection(double T, int? SeenWorkers, long? SeenBacklog, int? Workers, long? Backlog);

/// <summary>JSON object for a change of settings that a report simulates by itself.</summary>
sealed record WhatIfSection(
    string Change,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Effect,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Basis,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Uncertainty,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Unknown)
{
    public static IReadOnlyList<WhatIfSection>? Of(PoolReport report) => report.WhatIf.IsEmpty
        ? null
        : [.. report.WhatIf.Select(Of)];

    static WhatIfSection Of(WhatIfEffect one) => one.Unknown is null
        ? new(one.Change, one.Effect, one.Basis, one.Uncertainty, null)
        : new(one.Change, null, null, null, one.Unknown);
}
