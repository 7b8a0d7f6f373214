using System.CommandLine;
using Tpwatch.Explain;
using Tpwatch.Explain.WhatIf;
using Tpwatch.Explain.WhatIf.Study;
using Tpwatch.Render.Json;
using Tpwatch.Render.Text;

namespace Tpwatch.Commands;

/// <summary>The same arrivals under another configuration or another runtime's algorithm.</summary>
internal sealed class WhatIfCommand(CommandContext context)
{
    static readonly TimeSpan DefaultDuration = TimeSpan.FromSeconds(30);

    readonly Argument<string?> file = OptionKinds.File("A recording; instead of a process.", ArgumentArity.ZeroOrOne);
    readonly WhatIfOptionSet change = new();
    readonly TargetOptions target = new(context);
    readonly ObserveOptions observe = new("30s; a command is observed until it ends");
    readonly PrintOptions print = new("text", "json");

    /// <summary>The verb.</summary>
    public Command Create()
    {
        var command = new Command("whatif", "The same arrivals under another configuration or runtime, imagined by an exact model of the pool.") { file };
        change.AddTo(command);
        target.AddTo(command);
        observe.AddTo(command);
        print.AddTo(command);
        command.SetAction((parse, _) => RunAsync(parse));
        return command;
    }

    async Task<int> RunAsync(ParseResult parse)
    {
        var wanted = change.Read(parse);
        var printed = print.Read(parse);
        var request = target.Read(parse);
        var recording = parse.GetValue(file);
        if (recording is not null && request.IsGiven)
        {
            throw new ForeseenException("two targets were given, a file and a process", "give a recording, or one process", ExitCode.Arguments);
        }

        return recording is null
            ? await ObserveAsync(request, wanted, (observe.Read(parse), observe.Duration(parse) ?? (request.Command is null ? DefaultDuration : null), printed))
            : await ReadAsync(RecordingFile.MustExist(recording), wanted, (observe.Read(parse), printed));
    }

    async Task<int> ObserveAsync(TargetRequest request, WhatIfChange wanted, (WatchOptions Options, TimeSpan? Duration, PrintRequest Printed) how)
    {
        await using var chosen = await new TargetChoice(context).ResolveAsync(request);
        using var result = ResultFile.ForReport(how.Printed.File, context);
        BeforeAttaching.Tell(chosen.Row, how.Options, context);
        await using var watch = await chosen.AttachAsync(how.Options, context.Stop);
        var howLong = how.Duration is { } d ? $"for {Format.Duration(d.TotalMilliseconds)}" : "until it ends";
        context.Note($"observing {chosen.Row.Name} {howLong}; Ctrl+C answers at once");
        var code = await AnswerAsync(watch, wanted, (how.Duration, how.Printed, result));
        return await ExitCodes.ConcludeAsync(code, watch, chosen, context);
    }

    async Task<int> ReadAsync(string recording, WhatIfChange wanted, (WatchOptions Options, PrintRequest Printed) how)
    {
        ResultFile.MustSpare(recording, how.Printed.File);
        await using var watch = context.Engine.Replay(recording, how.Options);
        using var result = ResultFile.ForReport(how.Printed.File, context);
        return await AnswerAsync(watch, wanted, (null, how.Printed, result));
    }

    async Task<int> AnswerAsync(IWatch watch, WhatIfChange wanted, (TimeSpan? Duration, PrintRequest Printed, ResultFile Into) how)
    {
        var observation = new Observation(watch, context);
        var report = await observation.RunAsync(how.Duration, _ => { });
        var code = observation.Conclude(report);
        how.Into.Write(Render(report, Answer(report, wanted), how.Printed));
        return (int)code;
    }

    static WhatIfAnswer Answer(PoolReport report, WhatIfChange wanted)
    {
        var study = WhatIfStudy.Of(report, new CounterItems(), out var missing)
            ?? throw new ForeseenException(missing!, "observe while items wait, with a heartbeat, and not for too long", ExitCode.Arguments);
        WhatIfOptionSet.Check(wanted, study.Settings);
        return study.Answer(wanted);
    }

    string Render(PoolReport report, WhatIfAnswer answer, PrintRequest printed) => printed.Format == "json"
        ? JsonWhatIfRenderer.Render(report, answer, (context.Time.GetUtcNow().UtcDateTime, ToolVersion.Text, printed.ShowCommandLine))
        : WhatIfRenderer.Render(report, answer);
}
