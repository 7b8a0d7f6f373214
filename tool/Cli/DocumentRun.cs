using System.CommandLine;
using Tpwatch.Export;
using Tpwatch.Inside;
using Tpwatch.Recordings;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Cli;

/// <summary>The common part of <c>report</c>, <c>whatif</c> and <c>mcp</c>: watches or reads a recording, and writes documents.</summary>
/// <param name="does">The verb for the note about Ctrl+C, such as "reports".</param>
/// <param name="formats">The formats of the document; the first format is the default.</param>
sealed class DocumentRun(CommandContext context, string does, bool hasVerbose, CaptureDepth depth, params string[] formats)
{
    static readonly TimeSpan DefaultDuration = TimeSpan.FromSeconds(30);

    /// <summary>Formats that allow several documents in one output.</summary>
    static readonly string[] OneAfterAnother = ["text", "json"];

    readonly Argument<string?> file = OptionKinds.File("A recording to read, instead of a process.", ArgumentArity.ZeroOrOne);
    readonly TargetOptions target = new(context, several: true);
    readonly ObserveOptions observe = new(
        (depth == CaptureDepth.Auto ? "30s, or until tpwatch knows the blocking call" : "30s") + "; "
            + "a launched program: until it ends", depth);
    readonly PrintOptions print = new(formats) { HasVerbose = hasVerbose };

    /// <summary>The description of the file argument in the help page.</summary>
    public string Reads
    {
        init => file.Description = value;
    }

    public IEnumerable<Symbol> All => [file, .. target.All, .. observe.All, .. print.All];

    /// <summary>Returns the given file if it is a core dump and no option for a process is given; otherwise null.</summary>
    public string? Dump(ParseResult parse) => parse.GetValue(file) is { } given && DumpReportRun.IsDump(given)
        && !target.Read(parse).IsGiven && !observe.AreGiven(parse) ? given : null;

    /// <summary>Returns where and in which format the document is written.</summary>
    public OutputRequest Printed(ParseResult parse) => print.Read(parse);

    /// <summary>Watches a process or reads a recording, and writes the text that <paramref name="document"/> returns.</summary>
    public Task<int> RunAsync(ParseResult parse, Func<PoolReport, OutputRequest, string> document) =>
        RunAsync(parse, (report, printed) => (document(report, printed), report), (code, _, _) => code, mayEndEarly: false);

    /// <summary>
    /// Does the same as the other overload, but <paramref name="document"/> may add to the report, and <paramref name="conclude"/> decides
    /// the exit code. If <paramref name="mayEndEarly"/>, a watch at depth auto without a duration ends when the blocking call is known.
    /// </summary>
    public async Task<int> RunAsync(
        ParseResult parse, Func<PoolReport, OutputRequest, (string Text, PoolReport Report)> document,
        Func<ExitCode, PoolReport, CommandContext, ExitCode> conclude, bool mayEndEarly)
    {
        var printed = print.Read(parse);
        var request = target.Read(parse);
        var recording = parse.GetValue(file);
        if (recording is not null && request.IsGiven)
        {
            throw new UserErrorException(
                "a file and a process were both given", "give a recording or a process, not both", ExitCode.Arguments);
        }

        if (recording is not null && observe.AreGiven(parse))
        {
            throw new UserErrorException(
                "--duration, --heartbeat and --depth apply to a process, not to a recording",
                "leave these options out", ExitCode.Arguments);
        }

        var wanted = new DocumentRequest(printed, report => document(report, printed), conclude);
        if (recording is not null)
        {
            return await ReadAsync(RecordingPath.MustExist(recording), observe.Read(parse), wanted);
        }

        if ((request.IsSeveral || request.Follows) && printed.File is null && !OneAfterAnother.Contains(printed.Format))
        {
            throw new UserErrorException($"cannot write several {printed.Format} documents to one output",
                "use -o FILE: each process then gets a file of its own, with its name and pid", ExitCode.Arguments);
        }

        var how = HowLong(request, parse, mayEndEarly);
        return request.IsSeveral ? await ObserveAllAsync(request, how, wanted) : await ObserveAsync(request, how, wanted);
    }

    async Task<int> ObserveAllAsync(TargetRequest request, WatchScope how, DocumentRequest wanted)
    {
        var pids = await new TargetChoice(context).AllAsync(request);
        return await new ParallelWatches(context).RunAsync(pids, (row, side) => ObserveBesideAsync(row, side, how, wanted));
    }

    async Task<ExitCode> ObserveBesideAsync(ProcessRow row, ParallelRun side, WatchScope how, DocumentRequest wanted)
    {
        var mine = wanted.For(row, wanted.File is { } file ? ProcessFileName.For(file, row) : null);
        using var result = ResultFile.ForReport(mine.File, side.Context);
        AttachNotes.Tell(row, how.Options, side.Context);
        await using var watch = await context.Engine.AttachAsync(row, how.Options, side.Stop);
        var observation = new ObservationRun(watch, side.Context);
        TellHowLong(row, how, side.Context);
        var report = await observation.RunBesideAsync(how.Duration, side.Stop);
        await side.Turn;
        return mine.Write(observation, report, result, side.Context);
    }

    // Returns how long to watch. Only a watch of one running process without a duration from the user may end early.
    WatchScope HowLong(TargetRequest request, ParseResult parse, bool mayEndEarly)
    {
        var (options, asked) = (observe.Read(parse), observe.Duration(parse));
        var isShort = mayEndEarly && asked is null && request.Command is null && !request.IsSeveral && options.Depth == CaptureDepth.Auto;
        return new(
            options with { RequestsAnyway = isShort, ReadsAnyway = !request.IsSeveral },
            asked ?? (request.Command is null ? DefaultDuration : null), isShort);
    }

    async Task<int> ObserveAsync(TargetRequest request, WatchScope how, DocumentRequest wanted)
    {
        await using var chosen = await new TargetChoice(context).ResolveAsync(request, ScreenAppearance.Default);
        return await new SequentialWatches(context).RunAsync(chosen, request.Follows, number => ObserveTurnAsync(chosen, how,
            request.Follows
                ? wanted.For(chosen.Row, wanted.File is { } file ? ProcessFileName.For(file, chosen.Row, number) : null)
                : wanted));
    }

    async Task<WatchOutcome> ObserveTurnAsync(ITarget chosen, WatchScope how, DocumentRequest wanted)
    {
        using var result = ResultFile.ForReport(wanted.File, context);
        AttachNotes.Tell(chosen.Row, how.Options, context);
        await using var watch = await chosen.AttachAsync(how.Options, context.Stop);
        var observation = new ObservationRun(watch, context);
        TellHowLong(chosen.Row, how, context);
        var code = await WriteAsync(watch, observation, how, wanted, result);
        return await WatchOutcome.OfAsync(watch, await LaunchedExitCode.ConcludeAsync(code, watch, chosen, context));
    }

    void TellHowLong(ProcessRow row, WatchScope how, CommandContext to) =>
        to.Note($"watching {row.Name} {how.Words}; Ctrl+C {does} at once");

    async Task<int> ReadAsync(string recording, WatchOptions options, DocumentRequest wanted)
    {
        ResultFile.MustSpare(recording, wanted.File);
        await using var watch = context.Engine.Replay(recording, options);
        using var result = ResultFile.ForReport(wanted.File, context);
        return await WriteAsync(watch, new(watch, context), new(options, null, EndsEarly: false), wanted, result);
    }

    async Task<int> WriteAsync(IWatch watch, ObservationRun observation, WatchScope how, DocumentRequest wanted, ResultFile result)
    {
        var progress = new ProgressBar(context);
        var report = await observation.RunAsync(how.Duration, _ => progress.Look(watch.Progress), seen => how.IsEnough(seen, context));
        progress.End();
        return (int)wanted.Write(observation, report, result, context);
    }
}

/// <summary>The options and the duration of a watch.</summary>
/// <param name="Duration">Maximum duration; null to watch until the process ends.</param>
/// <param name="EndsEarly">Whether the watch ends as soon as the blocking call is known.</param>
sealed record WatchScope(WatchOptions Options, TimeSpan? Duration, bool EndsEarly)
{
    /// <summary>The duration in words, as part of a sentence.</summary>
    public string Words => Duration is { } d
        ? $"for {Format.Duration(d.TotalMilliseconds)}{(EndsEarly ? ", or until tpwatch knows the blocking call" : "")}"
        : "until the process ends";

    /// <summary>Whether the watch ends now, because the report shows the blocking call; if so, writes a note.</summary>
    public bool IsEnough(PoolReport seen, CommandContext context)
    {
        var enough = EndsEarly && EnoughSeen.In(seen);
        if (enough)
        {
            context.Note(EnoughSeen.Words(seen));
        }

        return enough;
    }
}

/// <summary>The document that is written at the end of a watch.</summary>
/// <param name="Printed">Where and in which format to write the document.</param>
/// <param name="Document">Callback that renders a report; returns the text, and the report with possible additions.</param>
/// <param name="Conclude">Callback that decides the exit code from the code of the watch and from the report.</param>
sealed record DocumentRequest(OutputRequest Printed, Func<PoolReport, (string Text, PoolReport Report)> Document,
    Func<ExitCode, PoolReport, CommandContext, ExitCode> Conclude)
{
    public string? File => Printed.File;

    /// <summary>The heading before the document if the output contains several; otherwise empty.</summary>
    string Heading { get; init; } = "";

    /// <summary>Returns this document for one of several processes, with its own file or heading.</summary>
    public DocumentRequest For(ProcessRow row, string? file) => this with
    {
        Printed = Printed with { File = file },
        Heading = Printed is { File: null, Format: "text" } ? $"{ProcessFileName.Heading(row)}\n\n" : "",
    };

    /// <summary>Renders the document and writes it; returns the exit code.</summary>
    public ExitCode Write(ObservationRun observation, PoolReport report, ResultFile result, CommandContext context)
    {
        var code = ExitCode.Done;
        string text;
        try
        {
            (text, report) = Document(report);
        }
        catch (UserErrorException e) when (observation.Conclude(report) is ExitCode.Broken)
        {
            // The stream broke, so the document cannot be made. The exit code must not say that the arguments are wrong.
            throw new UserErrorException(e.Message, e.Hint, ExitCode.Broken, e);
        }

        try
        {
            result.Write(Heading + text);
        }
        finally
        {
            code = observation.Conclude(report);
        }

        return Conclude(code, report, context);
    }
}

/// <summary>Reports on a core dump: the queued items, what the threads wait for, MinThreads and MaxThreads.</summary>
sealed class DumpReportRun(CommandContext context)
{
    static readonly string[] Formats = ["text", "json"];

    /// <summary>Whether a file is a core dump, by its header: an ELF file of type ET_CORE. False if the file cannot be read.</summary>
    public static bool IsDump(string file)
    {
        const int Core = 4;
        Span<byte> head = stackalloc byte[18];
        try
        {
            using var stream = RegularFile.OpenRead(file);
            return stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) == head.Length
                && head.StartsWith("\u007fELF"u8) && head[16] == Core;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return false;
        }
    }

    /// <summary>Reads the dump in a child process and writes the report.</summary>
    /// <exception cref="UserErrorException">The dump cannot be read, or the format is neither text nor json.</exception>
    public async Task<int> RunAsync(string file, OutputRequest printed)
    {
        if (!Formats.Contains(printed.Format))
        {
            throw new UserErrorException(
                $"a dump is reported as text or json, not as {printed.Format}", "use --format text or json", ExitCode.Arguments);
        }

        if (OwnProgram.Reader is not { } program)
        {
            throw new UserErrorException("tpwatch cannot read a dump here", "run it as a program of its own", ExitCode.NoSession);
        }

        ResultFile.MustSpare(file, printed.File);
        var child = new MemoryReaderLauncher(program, context.Time);
        var outcome = await child.ReadDumpAsync(Path.GetFullPath(file), context.Stop);
        if (outcome.Reading is not { } reading)
        {
            throw new UserErrorException(outcome.Failure!, "report it where it was written, with the same runtime", ExitCode.Broken);
        }

        using var result = ResultFile.ForReport(printed.File, context);
        result.Write(printed.Format == "json"
            ? DumpDocument.Render(reading, file, ToolVersion.Text)
            : InsideReadingRenderer.OfDump(reading, file, TextLayout.In(context.Terminal.Width, printed.File)));
        return (int)ExitCode.Done;
    }
}
