using System.CommandLine;
using Tpwatch.Explain;

namespace Tpwatch.Commands;

/// <summary>What the verbs share that look once, at a process for a while or at a recording, and write one document about it.</summary>
/// <param name="context">The run's surroundings.</param>
/// <param name="does">What Ctrl+C does at once: "reports".</param>
internal sealed class OneLook(CommandContext context, string does)
{
    static readonly TimeSpan DefaultDuration = TimeSpan.FromSeconds(30);

    readonly Argument<string?> file = OptionKinds.File("A recording; instead of a process.", ArgumentArity.ZeroOrOne);
    readonly TargetOptions target = new(context);
    readonly ObserveOptions observe = new("30s; a command is observed until it ends");
    readonly PrintOptions print = new("text", "json");

    /// <summary>Declares argument and options on a command.</summary>
    public void AddTo(Command command)
    {
        command.Arguments.Add(file);
        target.AddTo(command);
        observe.AddTo(command);
        print.AddTo(command);
    }

    /// <summary>Looks, writes what <paramref name="document"/> makes of it, and says how the look ended.</summary>
    public async Task<int> RunAsync(ParseResult parse, Func<PoolReport, PrintRequest, string> document)
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
                "--duration, --heartbeat and --depth are for a process; a recording holds what it holds", "leave them out", ExitCode.Arguments);
        }

        string Made(PoolReport report) => document(report, printed);
        return recording is null
            ? await ObserveAsync(request, (observe.Read(parse), observe.Duration(parse) ?? (request.Command is null ? DefaultDuration : null)), (printed.File, Made))
            : await ReadAsync(RecordingFile.MustExist(recording), observe.Read(parse), (printed.File, Made));
    }

    async Task<int> ObserveAsync(
        TargetRequest request, (WatchOptions Options, TimeSpan? Duration) how, (string? File, Func<PoolReport, string> Made) document)
    {
        await using var chosen = await new TargetChoice(context).ResolveAsync(request);
        using var result = ResultFile.ForReport(document.File, context);
        BeforeAttaching.Tell(chosen.Row, how.Options, context);
        await using var watch = await chosen.AttachAsync(how.Options, context.Stop);
        var howLong = how.Duration is { } d ? $"for {Format.Duration(d.TotalMilliseconds)}" : "until it ends";
        context.Note($"observing {chosen.Row.Name} {howLong}; Ctrl+C {does} at once");
        var code = await WriteAsync(watch, how.Duration, document.Made, result);
        return await ExitCodes.ConcludeAsync(code, watch, chosen, context);
    }

    async Task<int> ReadAsync(string recording, WatchOptions options, (string? File, Func<PoolReport, string> Made) document)
    {
        ResultFile.MustSpare(recording, document.File);
        await using var watch = context.Engine.Replay(recording, options);
        using var result = ResultFile.ForReport(document.File, context);
        return await WriteAsync(watch, duration: null, document.Made, result);
    }

    async Task<int> WriteAsync(IWatch watch, TimeSpan? duration, Func<PoolReport, string> made, ResultFile result)
    {
        var observation = new Observation(watch, context);
        var report = await observation.RunAsync(duration, _ => { });
        var code = ExitCode.Done;
        try
        {
            result.Write(made(report));
        }
        finally
        {
            // Also who gets no document is told that the stream broke.
            code = observation.Conclude(report);
        }

        return (int)code;
    }
}
