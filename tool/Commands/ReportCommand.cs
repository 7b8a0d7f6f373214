using System.CommandLine;
using Tpwatch.Explain;
using Tpwatch.Explain.WhatIf;
using Tpwatch.Explain.WhatIf.Study;
using Tpwatch.Render.Json;
using Tpwatch.Render.Text;

namespace Tpwatch.Commands;

/// <summary>Observes for a while, or reads a recording, and writes one report.</summary>
internal sealed class ReportCommand(CommandContext context)
{
    readonly OneLook look = new(context, "reports");

    /// <summary>The verb.</summary>
    public Command Create()
    {
        var command = new Command("report", "Observe for a while, or read a recording; then write a report.");
        look.AddTo(command);
        command.SetAction((parse, _) => look.RunAsync(parse, (report, printed) => Render(StandardChanges.AddTo(report, new MeasuredItems(new CounterItems())), printed)));
        return command;
    }

    string Render(PoolReport report, PrintRequest printed) => printed.Format == "json"
        ? JsonReportRenderer.Render(report, context.Time.GetUtcNow().UtcDateTime, ToolVersion.Text, printed.ShowCommandLine)
        : TextReportRenderer.Render(report, printed.Time, printed.ShowCommandLine);
}
