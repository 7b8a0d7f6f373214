using System.Text.Json;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Export;

/// <summary>Renders the answer of <c>whatif</c> as JSON.</summary>
static class JsonWhatIfRenderer
{
    /// <summary>Number of points of the curve, enough for a chart.</summary>
    const int Points = 200;

    /// <summary>Returns the document as text; ends with a line break.</summary>
    /// <param name="report">The report on the measured run.</param>
    /// <param name="answer">The answer with the simulated run.</param>
    /// <param name="now">Time of writing, UTC. The document of a recording contains the end of the recording instead.</param>
    /// <param name="version">Version of the tool.</param>
    /// <param name="showCommandLine">Whether the target's command line is written in full.</param>
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
