using System.CommandLine;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Cli;

/// <summary>The command <c>record</c>: saves the raw event stream of a process to a file, and facts about the process next to it.</summary>
sealed class RecordCommand(CommandContext context)
{
    readonly TargetOptions target = new(context, several: true);
    readonly ObserveOptions observe = new("until the process ends or you stop tpwatch");

    readonly Option<string?> output = OptionKinds.Word("--output", ["-o"], "FILE",
        "The recording (default: NAME_yyyyMMdd_HHmmss.nettrace). FILE.json next to it has facts about the process.");

    readonly Option<long?> limit = OptionKinds.Parsed<long?>(
        "--limit-size", "64MB|1GB", "End the recording at this size (default: 512MB).",
        text => ByteSizeParser.TryParse(text, out var bytes) ? bytes : null, "size", "write 500kB, 64MB, 1GB or a number of bytes");

    readonly Option<bool> force = OptionKinds.Flag("--force", "Overwrite an existing recording.");

    public Command Create() => new Command("record", "Save the raw event stream, for a later report or replay.")
        .With([output, limit, force, .. target.All, .. observe.All]).Does(RunAsync);

    async Task<int> RunAsync(ParseResult parse)
    {
        var request = target.Read(parse);
        var choice = new TargetChoice(context);
        if (request.IsSeveral)
        {
            return await new ParallelWatches(context).RunAsync(
                await choice.AllAsync(request), (row, side) => RecordBesideAsync(row, side, parse));
        }

        await using var chosen = await choice.ResolveAsync(request, ScreenAppearance.Default);
        return await new SequentialWatches(context)
            .RunAsync(chosen, request.Follows, number => RecordTurnAsync(chosen, parse, Name(request, number)));

        string Name(TargetRequest asked, int number) => (parse.GetValue(output), asked.Follows) switch
        {
            (null, false) => RecordingPath.NameFor(chosen.Row.Name, context.Time.GetUtcNow()),
            (null, true) => ProcessFileName.For(RecordingPath.NameFor(chosen.Row.Name, context.Time.GetUtcNow()), chosen.Row, number),
            ({ } named, false) => named,
            ({ } named, true) => ProcessFileName.For(named, chosen.Row, number),
        };
    }

    async Task<WatchOutcome> RecordTurnAsync(ITarget chosen, ParseResult parse, string named)
    {
        var options = Options(parse, named);
        AttachNotes.Tell(chosen.Row, options, context);
        var end = await RecordAsync(chosen, options, observe.Duration(parse));
        Tell(options, context);
        return end;
    }

    async Task<WatchOutcome> RecordAsync(ITarget chosen, WatchOptions options, TimeSpan? duration)
    {
        await using var watch = await chosen.AttachAsync(options, context.Stop);
        var observation = new ObservationRun(watch, context);
        Begin(options, context);
        var code = End(await observation.RunAsync(duration, _ => { }), observation, watch, context);
        return await WatchOutcome.OfAsync(watch, await LaunchedExitCode.ConcludeAsync((int)code, watch, chosen, context));
    }

    async Task<ExitCode> RecordBesideAsync(ProcessRow row, ParallelRun side, ParseResult parse)
    {
        var options = Options(parse, parse.GetValue(output) is { } named
            ? ProcessFileName.For(named, row)
            : RecordingPath.NameFor(ProcessFileName.Safe(row), context.Time.GetUtcNow()));
        AttachNotes.Tell(row, options, side.Context);
        var code = await RecordBesideAsync(row, side, options, observe.Duration(parse));
        Tell(options, side.Context);
        return code;
    }

    async Task<ExitCode> RecordBesideAsync(ProcessRow row, ParallelRun side, WatchOptions options, TimeSpan? duration)
    {
        await using var watch = await context.Engine.AttachAsync(row, options, side.Stop);
        var observation = new ObservationRun(watch, side.Context);
        Begin(options, side.Context);
        var report = await observation.RunBesideAsync(duration, side.Stop);
        await side.Turn;
        return End(report, observation, watch, side.Context);
    }

    WatchOptions Options(ParseResult parse, string named)
    {
        var options = observe.Read(parse);
        var over = parse.GetValue(force);
        options = options with { RecordTo = RecordingPath.MustBeWritable(named, options.Depth, over), RecordOver = over };
        return parse.GetValue(limit) is { } bytes ? options with { RecordLimitBytes = bytes } : options;
    }

    static void Begin(WatchOptions options, CommandContext context) =>
        context.Note($"recording to {options.RecordTo}; Ctrl+C ends the recording",
            "the recording contains the whole command line of the process"
                + (options.Depth.HasFlag(CaptureDepth.Requests) ? ", and the path of every request, without its query" : ""));

    static void Tell(WatchOptions options, CommandContext context)
    {
        context.Out.Write(options.RecordTo + "\n");
        context.Out.Flush();
    }

    static ExitCode End(PoolReport report, ObservationRun observation, IWatch watch, CommandContext context)
    {
        context.Note($"{VerdictWords.Of(report)}: {EndWords.Of(report.End)}, {Format.Plural(report.Timeline.Quality.Events, "event")}");
        foreach (var remark in report.Timeline.Quality.Remarks.Concat(report.Bursts?.Remarks ?? []).Append(watch.RecordingEnded).Distinct())
        {
            if (remark is not null)
            {
                context.Note(remark);
            }
        }

        return observation.Conclude(report);
    }
}
