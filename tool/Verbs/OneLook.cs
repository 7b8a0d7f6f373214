using System.CommandLine;
using Tpwatch.Basics;
using Tpwatch.Options;
using Tpwatch.Output;
using Tpwatch.Render.Shared;
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

    /// <summary>Documents that one can read one after another from one stream.</summary>
    static readonly string[] OneAfterAnother = ["text", "json"];

    readonly Argument<string?> file = OptionKinds.File("A recording; instead of a process.", ArgumentArity.ZeroOrOne);
    readonly TargetOptions target = new(context, several: true);
    readonly ObserveOptions observe = new("30s; a command is observed until it ends", depth);
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
        RunAsync(parse, (report, printed) => (document(report, printed), report), (code, _, _) => code);

    /// <summary>
    /// The same for a document that adds to the report; <paramref name="conclude"/> has the last word about the exit code.
    /// </summary>
    public async Task<int> RunAsync(
        ParseResult parse, Func<PoolReport, PrintRequest, (string Text, PoolReport Report)> document,
        Func<ExitCode, PoolReport, CommandContext, ExitCode> conclude)
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

        var wanted = new Wanted(printed, report => document(report, printed), conclude);
        if (recording is not null)
        {
            return await ReadAsync(RecordingFile.MustExist(recording), observe.Read(parse), wanted);
        }

        if ((request.IsSeveral || request.Follows) && printed.File is null && !OneAfterAnother.Contains(printed.Format))
        {
            throw new ForeseenException($"several documents of the format {printed.Format} do not go to one output",
                "write -o FILE; each process then gets a file of its own, named by it", ExitCode.Arguments);
        }

        var how = (observe.Read(parse), observe.Duration(parse) ?? (request.Command is null ? DefaultDuration : null));
        return request.IsSeveral ? await ObserveAllAsync(request, how, wanted) : await ObserveAsync(request, how, wanted);
    }

    async Task<int> ObserveAllAsync(TargetRequest request, (WatchOptions Options, TimeSpan? Duration) how, Wanted wanted)
    {
        var pids = await new TargetChoice(context).AllAsync(request);
        return await new SeveralLooks(context).RunAsync(pids, (row, beside) => ObserveBesideAsync(row, beside, how, wanted));
    }

    async Task<ExitCode> ObserveBesideAsync(
        ProcessRow row, LookBeside beside, (WatchOptions Options, TimeSpan? Duration) how, Wanted wanted)
    {
        var mine = For(wanted, row, wanted.File is { } file ? NamedFile.For(file, row) : null);
        using var result = ResultFile.ForReport(mine.File, beside.Context);
        BeforeAttaching.Tell(row, how.Options, beside.Context);
        await using var watch = await context.Engine.AttachAsync(row, how.Options, beside.Stop);
        var observation = new Observation(watch, beside.Context);
        TellHowLong(row, how.Duration, beside.Context);
        var report = await observation.RunBesideAsync(how.Duration, beside.Stop);
        await beside.Turn;
        return Write((observation, report), mine, result, beside.Context);
    }

    async Task<int> ObserveAsync(TargetRequest request, (WatchOptions Options, TimeSpan? Duration) how, Wanted document)
    {
        await using var chosen = await new TargetChoice(context).ResolveAsync(request, ScreenRequest.Default);
        return request.Follows
            ? await new InTurn(context).RunAsync(chosen, follows: true, number => ObserveTurnAsync(chosen, how,
                For(document, chosen.Row, document.File is { } file ? NamedFile.For(file, chosen.Row, number) : null)))
            : await new InTurn(context).RunAsync(chosen, follows: false, _ => ObserveTurnAsync(chosen, how, document));
    }

    static Wanted For(Wanted wanted, ProcessRow row, string? file) => wanted with
    {
        Printed = wanted.Printed with { File = file },
        Heading = wanted.Printed is { File: null, Format: "text" } ? $"{NamedFile.Heading(row)}\n\n" : "",
    };

    async Task<Turn> ObserveTurnAsync(ITarget chosen, (WatchOptions Options, TimeSpan? Duration) how, Wanted document)
    {
        using var result = ResultFile.ForReport(document.File, context);
        BeforeAttaching.Tell(chosen.Row, how.Options, context);
        await using var watch = await chosen.AttachAsync(how.Options, context.Stop);
        var observation = new Observation(watch, context);
        TellHowLong(chosen.Row, how.Duration, context);
        var code = await WriteAsync(watch, (observation, how.Duration), document, result);
        return await Turn.OfAsync(watch, await CommandExit.ConcludeAsync(code, watch, chosen, context));
    }

    void TellHowLong(ProcessRow row, TimeSpan? duration, CommandContext to)
    {
        var howLong = duration is { } d ? $"for {Format.Duration(d.TotalMilliseconds)}" : "until it ends";
        to.Note($"observing {row.Name} {howLong}; Ctrl+C {does} at once");
    }

    async Task<int> ReadAsync(string recording, WatchOptions options, Wanted document)
    {
        ResultFile.MustSpare(recording, document.File);
        await using var watch = context.Engine.Replay(recording, options);
        using var result = ResultFile.ForReport(document.File, context);
        return await WriteAsync(watch, (new(watch, context), null), document, result);
    }

    async Task<int> WriteAsync(IWatch watch, (Observation Observation, TimeSpan? Duration) how, Wanted wanted, ResultFile result)
    {
        var (observation, duration) = how;
        var progress = new ProgressBar(context);
        var report = await observation.RunAsync(duration, _ => progress.Look(watch.Progress));
        progress.End();
        return (int)Write((observation, report), wanted, result, context);
    }

    static ExitCode Write((Observation Observation, PoolReport Report) seen, Wanted wanted, ResultFile result, CommandContext context)
    {
        var (observation, report) = seen;
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
            result.Write(wanted.Heading + text);
        }
        finally
        {
            code = observation.Conclude(report);
        }

        return wanted.Conclude(code, report, context);
    }

    sealed record Wanted(PrintRequest Printed, Func<PoolReport, (string Text, PoolReport Report)> Document,
        Func<ExitCode, PoolReport, CommandContext, ExitCode> Conclude)
    {
        public string? File => Printed.File;

        /// <summary>What stands before the document, where several stand one after another.</summary>
        public string Heading { get; init; } = "";
    }
}
