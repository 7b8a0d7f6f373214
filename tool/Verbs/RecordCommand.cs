using System.CommandLine;
using Tpwatch.Basics;
using Tpwatch.Options;
using Tpwatch.Output;
using Tpwatch.Render.Shared;
using Tpwatch.Render.Text;
using Tpwatch.Reports;
using Tpwatch.Targets;
using Tpwatch.Watching;
using Tpwatch.World;

namespace Tpwatch.Verbs;

/// <summary>Saves the raw stream and the target's facts.</summary>
sealed class RecordCommand(CommandContext context)
{
    readonly TargetOptions target = new(context);
    readonly ObserveOptions observe = new("until the target ends or you stop it");

    readonly Option<string?> output = new("--output", "-o")
    {
        Description =
            "The recording, opens in PerfView too; FILE.json beside it holds the target's facts (default: NAME_yyyyMMdd_HHmmss.nettrace).",
        HelpName = "FILE",
    };

    readonly Option<long?> limit = new("--limit-size")
    {
        Description = "End the recording at so many bytes (default: 512MB).",
        HelpName = "64MB|1GB",
        CustomParser = result => SizeText.TryParse(OptionKinds.Text(result), out var bytes)
            ? bytes
            : OptionKinds.Refuse<long?>(
                result, $"'{OptionKinds.Text(result)}' is no size for --limit-size", "write 500kB, 64MB, 1GB or a number of bytes"),
    };

    readonly Option<bool> force = new("--force") { Description = "Write over a recording that is there already." };

    /// <summary>The verb.</summary>
    public Command Create()
    {
        var command = new Command("record", "Save the raw stream, to report or replay it later.") { output, limit, force };
        target.AddTo(command);
        observe.AddTo(command);
        command.SetAction((parse, _) => RunAsync(parse));
        return command;
    }

    async Task<int> RunAsync(ParseResult parse)
    {
        await using var chosen = await new TargetChoice(context).ResolveAsync(target.Read(parse), ScreenRequest.Default);
        var options = observe.Read(parse);
        var named = parse.GetValue(output) ?? RecordingFile.NameFor(chosen.Row.Name, context.Time.GetUtcNow());
        var over = parse.GetValue(force);
        var file = RecordingFile.MustBeWritable(named, options.Depth, over);
        options = options with { RecordTo = file, RecordOver = over };
        options = parse.GetValue(limit) is { } bytes ? options with { RecordLimitBytes = bytes } : options;
        BeforeAttaching.Tell(chosen.Row, options, context);
        var end = await RecordAsync(chosen, options, observe.Duration(parse));
        context.Out.Write(file + "\n");
        context.Out.Flush();
        return end;
    }

    async Task<int> RecordAsync(ITarget chosen, WatchOptions options, TimeSpan? duration)
    {
        await using var watch = await chosen.AttachAsync(options, context.Stop);
        var observation = new Observation(watch, context);
        context.Note($"recording to {options.RecordTo}; Ctrl+C ends it",
            "the stream holds the target's whole command line, as its runtime writes it"
                + (options.Depth.HasFlag(CaptureDepth.Requests) ? ", and the path of every request, without its query" : ""));
        var report = await observation.RunAsync(duration, _ => { });
        context.Note($"{VerdictWords.Of(report)}: {EndWords.Of(report.End)}, {Format.Plural(report.Timeline.Quality.Events, "event")}");
        foreach (var remark in report.Timeline.Quality.Remarks.Concat(report.Bursts?.Remarks ?? []).Append(watch.RecordingEnded).Distinct())
        {
            if (remark is not null)
            {
                context.Note(remark);
            }
        }

        return await CommandExit.ConcludeAsync((int)observation.Conclude(report), watch, chosen, context);
    }
}
