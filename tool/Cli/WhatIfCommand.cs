using System.CommandLine;
using Tpwatch.Export;
using Tpwatch.Options;
using Tpwatch.Run;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Cli;

/// <summary>The command <c>whatif</c>: simulates the observed work items under another configuration or another runtime's pool.</summary>
sealed class WhatIfCommand(CommandContext context)
{
    readonly WhatIfOptionSet change = new();
    readonly SingleRun look = new(context, "answers", hasVerbose: false, CaptureDepth.Basic, "text", "json");

    public Command Create()
    {
        var command = new Command("whatif", "Simulate how the same work items would have run under another configuration or runtime.");
        change.AddTo(command);
        look.AddTo(command);
        command.SetAction((parse, _) => RunAsync(parse));
        return command;
    }

    async Task<int> RunAsync(ParseResult parse)
    {
        var wanted = change.Read(parse);
        return await look.RunAsync(parse, (report, printed) => Render(report, Answer(report, wanted), printed));
    }

    static WhatIfAnswer Answer(PoolReport report, WhatIfChange wanted)
    {
        var study = WhatIfStudy.Of(report, new MeasuredItems(new CounterItems()), out var missing)
            ?? throw new UserErrorException(
                missing!, "watch for a shorter time, with counter samples and while items wait", ExitCode.Arguments);
        WhatIfOptionSet.Check(wanted, study.Settings);
        return study.Answer(wanted);
    }

    string Render(PoolReport report, WhatIfAnswer answer, PrintRequest printed) => printed.Format == "json"
        ? JsonWhatIfRenderer.Render(report, answer, context.Time.GetUtcNow().UtcDateTime, ToolVersion.Text, printed.ShowCommandLine)
        : WhatIfRenderer.Render(report, answer);
}
