using System.CommandLine;
using Tpwatch.Basics;
using Tpwatch.Options;
using Tpwatch.Output;
using Tpwatch.Reports;
using Tpwatch.Targets;
using Tpwatch.Watching;
using Tpwatch.World;

namespace Tpwatch.Verbs;

/// <summary>What the verbs share that look once, at a process for a while or at a recording, and write one document about it.</summary>
/// <param name="context">The run's surroundings.</param>
/// <param name="does">What Ctrl+C does at once: "reports".</param>
/// <param name="hasVerbose">Whether the text has a short form.</param>
/// <param name="depth">What it switches on in the target where nothing is said.</param>
/// <param name="formats">How the document can be written, the default first.</param>
sealed class OneLook(CommandContext context, string does, bool hasVerbose, CaptureDepth depth, params string[] formats)
{
    static readonly TimeSpan DefaultDuration = TimeSpan.FromSeconds(30);

    readonly Argument<string?> file = OptionKinds.File("A recording; instead of a process.", ArgumentArity.ZeroOrOne);
    readonly TargetOptions target = new(context);
    readonly ObserveOptions observe = new(
        (depth == CaptureDepth.Auto ? "30s, or until it is known what blocks" : "30s") + "; a command is observed until it ends", depth);
    readonly PrintOptions print = new(formats) { HasVerbose = hasVerbose };

    /// <summary>Declares argument and options on a command.</summary>
    public void AddTo(Command command)
    {
        command.Arguments.Add(file);
        target.AddTo(command);
        observe.AddTo(command);
        print.AddTo(command);
    }

    /// <summary>Looks, writes what <paramref name="document"/> makes of it, and says how the look ended.</summary>
    public Task<int> RunAsync(ParseResult parse, Func<PoolReport, PrintRequest, string> document) =>
        RunAsync(parse, (report, printed) => (document(report, printed), report), (code, _) => code, mayEndEarly: false);

    /// <summary>
    /// The same for a document that adds to the report; <paramref name="conclude"/> has the last word about the exit code. Where nobody
    /// gave a duration or a depth it may end early, with what it came for.
    /// </summary>
    public async Task<int> RunAsync(
        ParseResult parse, Func<PoolReport, PrintRequest, (string Text, PoolReport Report)> document,
        Func<ExitCode, PoolReport, ExitCode> conclude, bool mayEndEarly)
    {
        var printed = print.Read(parse);
        var request = target.Read(parse);
        var recording = parse.GetValue(file);
        if (recording is not null && request.IsGiven)
        {
            throw new ForeseenException(
                "two targets were given, a file and a process", "give a recording, or one process", ExitCode.Arguments);
        }

        if (recording is not null && observe.AreGiven(parse))
        {
            throw new ForeseenException(
                "--duration, --heartbeat and --depth are for a process; a recording holds what it holds",
                "leave them out", ExitCode.Arguments);
        }

        var wanted = new Wanted(printed.File, report => document(report, printed), conclude);
        return recording is null
            ? await ObserveAsync(request, HowLong(request, parse, mayEndEarly), wanted)
            : await ReadAsync(RecordingFile.MustExist(recording), observe.Read(parse), wanted);
    }

    // A command is watched to its end: we end what we started. Who says a duration gets it.
    How HowLong(TargetRequest request, ParseResult parse, bool mayEndEarly)
    {
        var (options, asked) = (observe.Read(parse), observe.Duration(parse));
        var isShort = mayEndEarly && asked is null && request.Command is null && options.Depth == CaptureDepth.Auto;
        return new(options with { RequestsAnyway = isShort }, asked ?? (request.Command is null ? DefaultDuration : null), isShort);
    }

    async Task<int> ObserveAsync(TargetRequest request, How how, Wanted document)
    {
        await using var chosen = await new TargetChoice(context).ResolveAsync(request, ScreenRequest.Default);
        using var result = ResultFile.ForReport(document.File, context);
        BeforeAttaching.Tell(chosen.Row, how.Options, context);
        await using var watch = await chosen.AttachAsync(how.Options, context.Stop);
        var observation = new Observation(watch, context);
        var howLong = how.Duration is { } d
            ? $"for {Format.Duration(d.TotalMilliseconds)}{(how.EndsEarly ? ", or until it is known what blocks" : "")}"
            : "until it ends";
        context.Note($"observing {chosen.Row.Name} {howLong}; Ctrl+C {does} at once");
        var code = await WriteAsync(watch, observation, how, document, result);
        return await CommandExit.ConcludeAsync(code, watch, chosen, context);
    }

    async Task<int> ReadAsync(string recording, WatchOptions options, Wanted document)
    {
        ResultFile.MustSpare(recording, document.File);
        await using var watch = context.Engine.Replay(recording, options);
        using var result = ResultFile.ForReport(document.File, context);
        return await WriteAsync(watch, new(watch, context), new(options, null, EndsEarly: false), document, result);
    }

    async Task<int> WriteAsync(IWatch watch, Observation observation, How how, Wanted wanted, ResultFile result)
    {
        var progress = new ProgressBar(context);
        var report = await observation.RunAsync(how.Duration, _ => progress.Look(watch.Progress), IsEnough);
        progress.End();
        var code = ExitCode.Done;
        string text;
        try
        {
            (text, report) = wanted.Document(report);
        }
        catch (ForeseenException e) when (observation.Conclude(report) is ExitCode.Broken)
        {
            // Who gets no document because the stream broke is told that, and not that the arguments were wrong.
            throw new ForeseenException(e.Message, e.Hint, ExitCode.Broken, e);
        }

        try
        {
            result.Write(text);
        }
        finally
        {
            code = observation.Conclude(report);
        }

        return (int)wanted.Conclude(code, report);

        bool IsEnough(PoolReport seen)
        {
            var enough = how.EndsEarly && EnoughSeen.In(seen);
            if (enough)
            {
                context.Note(EnoughSeen.Words(seen));
            }

            return enough;
        }
    }

    sealed record How(WatchOptions Options, TimeSpan? Duration, bool EndsEarly);

    sealed record Wanted(string? File, Func<PoolReport, (string Text, PoolReport Report)> Document,
        Func<ExitCode, PoolReport, ExitCode> Conclude);
}
