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
    static readonly TimeSpan DefaultDuration = TimeSpan.FromSeconds(30);

    readonly Argument<string?> file = OptionKinds.File("A recording; instead of a process.", ArgumentArity.ZeroOrOne);

    readonly TargetOptions target = new(context);
    readonly ObserveOptions observe = new("30s; a command is observed until it ends");
    readonly PrintOptions print = new("text", "json");

    /// <summary>The verb.</summary>
    public Command Create()
    {
        var command = new Command("report", "Observe for a while, or read a recording; then write a report.") { file };
        target.AddTo(command);
        observe.AddTo(command);
        print.AddTo(command);
        command.SetAction((parse, _) => RunAsync(parse));
        return command;
    }

    async Task<int> RunAsync(ParseResult parse)
    {
        var printed = print.Read(parse);
        var request = target.Read(parse);
        var recording = parse.GetValue(file);
        if (recording is not null && request.IsGiven)
        {
            throw new ForeseenException("two targets were given, a file and a process", "give a recording, or one process", ExitCode.Arguments);
        }

        if (recording is not null && observe.AreGiven(parse))
        {
            throw new ForeseenException(
                "--duration and --heartbeat are for a process; a recording holds what it holds", "leave them out", ExitCode.Arguments);
        }

        return recording is null
            ? await ObserveAsync(request, observe.Read(parse), observe.Duration(parse) ?? (request.Command is null ? DefaultDuration : null), printed)
            : await ReadAsync(RecordingFile.MustExist(recording), observe.Read(parse), printed);
    }

    async Task<int> ObserveAsync(TargetRequest request, WatchOptions options, TimeSpan? duration, PrintRequest printed)
    {
        await using var chosen = await new TargetChoice(context).ResolveAsync(request);
        using var result = ResultFile.ForReport(printed.File, context);
        BeforeAttaching.Tell(chosen.Row, options, context);
        await using var watch = await chosen.AttachAsync(options, context.Stop);
        var howLong = duration is { } d ? $"for {Format.Duration(d.TotalMilliseconds)}" : "until it ends";
        context.Note($"observing {chosen.Row.Name} {howLong}; Ctrl+C reports at once");
        var code = await WriteAsync(watch, duration, printed, result);
        return await ExitCodes.ConcludeAsync(code, watch, chosen, context);
    }

    async Task<int> ReadAsync(string recording, WatchOptions options, PrintRequest printed)
    {
        ResultFile.MustSpare(recording, printed.File);
        await using var watch = context.Engine.Replay(recording, options);
        using var result = ResultFile.ForReport(printed.File, context);
        return await WriteAsync(watch, duration: null, printed, result);
    }

    async Task<int> WriteAsync(IWatch watch, TimeSpan? duration, PrintRequest printed, ResultFile result)
    {
        var observation = new Observation(watch, context);
        var report = await observation.RunAsync(duration, _ => { });
        result.Write(Render(StandardChanges.AddTo(report, new CounterItems()), printed));
        return (int)observation.Conclude(report);
    }

    string Render(PoolReport report, PrintRequest printed) => printed.Format == "json"
        ? JsonReportRenderer.Render(report, context.Time.GetUtcNow().UtcDateTime, ToolVersion.Text, printed.ShowCommandLine)
        : TextReportRenderer.Render(report, printed.Time, printed.ShowCommandLine);
}
