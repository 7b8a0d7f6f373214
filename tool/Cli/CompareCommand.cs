using System.CommandLine;
using Tpwatch.Export;
using Tpwatch.Recordings;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Cli;

/// <summary>The command <c>compare</c>: tells whether the second of two recordings or JSON reports is better, worse or the same.</summary>
sealed class CompareCommand(CommandContext context)
{
    readonly Argument<string?> before = OptionKinds.File(
        "The first recording, or JSON report.", ArgumentArity.ExactlyOne, "BEFORE");

    readonly Argument<string?> after = OptionKinds.File(
        "The second one, after the change.", ArgumentArity.ExactlyOne, "AFTER");

    readonly PrintOptions print = new("text", "json", "html") { HasVerbose = false, HasTimes = false };

    readonly Option<string?> failOn = OptionKinds.OneOf(
        "--fail-on", "Exit with code 10 if AFTER is worse, and with 12 if tpwatch cannot tell.", ["worse"],
        "is not a condition of --fail-on here", "write --fail-on worse");

    public Command Create() => new Command("compare", "Compare two recordings or JSON reports: is the second one better or worse?")
        .With([before, after, failOn, .. print.All]).Does(RunAsync);

    async Task<int> RunAsync(ParseResult parse)
    {
        var printed = print.Read(parse);
        string[] files = [.. new[] { before, after }.Select(a => RecordingPath.MustExist(parse.GetValue(a) ?? "", Hint))];
        foreach (var file in files)
        {
            ResultFile.MustSpare(file, printed.File);
        }

        using var result = ResultFile.ForReport(printed.File, context);
        var (first, firstEnd) = await ReadAsync(files[0]);
        var (second, secondEnd) = await ReadAsync(files[1]);
        var compared = Comparison.Of(first, second);
        result.Write(printed.Format switch
        {
            "json" => CompareDocument.Render(compared, ToolVersion.Text),
            "html" => HtmlComparisonRenderer.Render(compared, ToolVersion.Text),
            _ => ComparisonRenderer.Render(compared, TextLayout.In(context.Terminal.Width, printed.File)),
        });
        return (int)Conclude(compared, parse.GetValue(failOn) is not null, firstEnd == ExitCode.Done ? secondEnd : firstEnd);
    }

    ExitCode Conclude(Comparison compared, bool asked, ExitCode end)
    {
        if (asked && compared.Outcome == ComparedOutcome.Worse)
        {
            context.Note($"--fail-on worse is met: {compared.Sentence}");
            return ExitCode.Matched;
        }

        if (asked && compared.Outcome == ComparedOutcome.CannotTell)
        {
            context.Note($"--fail-on worse cannot be answered: {compared.Sentence}");
            return end == ExitCode.Done ? ExitCode.Unanswered : end;
        }

        return end;
    }

    // Returns the report of a file. A recording is first rendered as JSON, so that it is compared in the same way as a saved report.
    async Task<(ComparedReport Report, ExitCode End)> ReadAsync(string file)
    {
        if (OpenJson(file) is { } stream)
        {
            await using (stream)
            {
                return (SavedReport.Read(stream, file), ExitCode.Done);
            }
        }

        if (DumpReportRun.IsDump(file))
        {
            throw new UserErrorException($"'{file}' is a core dump, which is one moment and tells no change", Hint, ExitCode.Arguments);
        }

        await using var watch = context.Engine.Replay(file, new());
        var observation = new ObservationRun(watch, context with { About = file });
        var report = await observation.RunAsync(null, _ => { });
        var json = JsonReportRenderer.Render(report, context.Time.GetUtcNow().UtcDateTime, ToolVersion.Text, showCommandLine: false);
        using var document = new MemoryStream(System.Text.Encoding.UTF8.GetBytes(json));
        return (SavedReport.Read(document, file), observation.Conclude(report));
    }

    static FileStream? OpenJson(string file)
    {
        FileStream? stream = null;
        try
        {
            stream = RegularFile.OpenRead(file);
            if (SavedReport.IsJson(stream))
            {
                return stream;
            }

            stream.Dispose();
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            stream?.Dispose();
            throw new UserErrorException($"cannot read '{file}': {e.Message.TrimEnd('.')}", Hint, ExitCode.Arguments, e);
        }
    }

    const string Hint = "give a .nettrace file, or a report written with --format json";
}
