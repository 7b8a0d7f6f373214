using System.Text;
using Tpwatch.Assertions;
using Tpwatch.Export;
using Tpwatch.Recordings;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Run;

/// <summary>
/// Saves a document about a report in the working directory during a watch. Only the user who runs tpwatch may read the file. An existing
/// file is never overwritten.
/// </summary>
static class ReportSaver
{
    /// <summary>Name of the document that the key <c>s</c> saves.</summary>
    public const string Text = "text";

    /// <summary>Maximum number of characters of the process's name in the file name.</summary>
    const int LongestName = 40;

    /// <summary>The documents by their names in <c>--format</c>. Each has the ending of its file name, and a renderer.</summary>
    public static readonly ImmutableDictionary<string, (string Ending, Func<PoolReport, TimeStyle, string> Render)> Documents =
        new Dictionary<string, (string, Func<PoolReport, TimeStyle, string>)>
        {
            [Text] = (".txt", (report, time) => TextReportRenderer.Render(report, time, showCommandLine: false)),
            ["csv"] = (".csv", (report, _) => CsvRenderer.Series(report)),
            ["csv-gaps"] = ("-gaps.csv", (report, _) => CsvRenderer.InjectionDelays(report)),
            ["csv-requests"] = ("-requests.csv", (report, _) => CsvRenderer.Requests(report)),
            ["json"] = (".json", (report, _) => JsonReportRenderer.Render(report, Seen(report), ToolVersion.Text, showCommandLine: false)),
            ["html"] = (".html",
                (report, time) => HtmlReportRenderer.Render(report, new([], Seen(report), ToolVersion.Text, ShowCommandLine: false, time))),
            ["svg"] = (".svg", TimelineSvg.File),
            ["perfetto"] = (".perfetto.json", (report, _) => ChromeTraceRenderer.Render(report, ToolVersion.Text)),
            ["speedscope"] = (".speedscope.json", (report, _) => SpeedscopeRenderer.Render(report, ToolVersion.Text)),
        }.ToImmutableDictionary();

    /// <summary>Writes the document into a folder; returns a sentence with the path or with the reason for a failure.</summary>
    /// <param name="document">Name of the document: a key of <see cref="Documents"/>.</param>
    /// <param name="name">Name of the file, with or without its ending; null for a name built from the process and the time.</param>
    public static string Write(PoolReport report, TimeStyle time, string folder, string document = Text, string? name = null)
    {
        var (ending, render) = Documents[document];
        var path = Path.Combine(folder, name is null ? NameOf(report) + ending
            : name.EndsWith(ending, StringComparison.OrdinalIgnoreCase) ? name : name + ending);
        try
        {
            if (File.Exists(path))
            {
                return $"Already saved as {path}.";
            }

            // Rendered before the file is created, because rendering fails if the report lacks the data.
            var bytes = Encoding.UTF8.GetBytes(render(report, time));
            using var file = PrivateFile.Create(path);
            file.Write(bytes);
            return $"Saved as {path}.";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or UserErrorException)
        {
            return $"Not saved: {e.Message}";
        }
    }

    static DateTime Seen(PoolReport report) => report.Timeline.UtcOf(report.Timeline.Now);

    // The name contains the time of the newest event in seconds, so that holding the key down does not fill the disk.
    static string NameOf(PoolReport report)
    {
        var target = report.Timeline.Target;
        var name = new string([.. target.Name.Where(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_').Take(LongestName)]);
        var moment = Seen(report).ToString("yyyyMMdd-HHmmss", System.Globalization.CultureInfo.InvariantCulture);
        return $"tpwatch-{name.TrimStart('.', '-')}-{Words.Pid(target).Replace('?', '0')}-{moment}";
    }
}

/// <summary>
/// Saves the retained events of a watch as a recording. Only the user who runs tpwatch may read the file. An existing file stays.
/// </summary>
static class RetainedSaver
{
    const string Ending = ".nettrace";
    const int Kilobyte = 1024;

    /// <summary>Writes the recording; returns a sentence with path and size, or with the reason for a failure.</summary>
    /// <param name="report">The report on the screen; the file name contains its time.</param>
    /// <param name="asked">Path of the file; null for a generated name in the working directory.</param>
    public static string Write(IWatch watch, PoolReport report, string? asked)
    {
        var path = asked is null ? RecordingPath.NameFor(report.Timeline.Target.Name, report.Timeline.UtcOf(report.Timeline.Now))
            : asked.EndsWith(Ending, StringComparison.OrdinalIgnoreCase) ? asked : asked + Ending;
        try
        {
            var saved = watch.SaveRetained(path);
            return $"Saved as {saved.Path}, {Format.Count((saved.Bytes + Kilobyte - 1) / Kilobyte)} kB, "
                + $"{(saved.IsWhole ? "the capture from its start" : "the newest part")}"
                + $"{(report.Blockers is null ? "" : ", with its stacks")}. Open the file with replay or report.{Lacks(report)}";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or UserErrorException)
        {
            return $"Not saved: {e.Message}";
        }
    }

    // Events of work items and requests come in a second session, which is not retained.
    static string Lacks(PoolReport report) => report.Items is null && report.Requests is null ? "" : " Items and requests are not in it.";
}

/// <summary>Renders the documents about a report at the end of a watch.</summary>
sealed class ReportDocuments(CommandContext context, ImmutableArray<Condition> failOn)
{
    /// <summary>The names of the documents in <c>--format</c>; the first name is the default.</summary>
    public static readonly string[] Formats = ["text", "json", "html", "svg",
        "perfetto", "speedscope", "csv", "csv-gaps", "csv-requests", "plain", "github", "junit"];

    /// <summary>Whether the document contains simulations of other settings, which take longer than reading a recording.</summary>
    public static bool TellsWhatIf(OutputRequest printed) => printed is { Format: "text", Verbose: true } or { Format: "json" or "html" };

    /// <summary>The documents that a watch or a replay can write at its end instead of lines during the watch.</summary>
    public static readonly string[] AtTheEnd = ["plain", "github", "junit"];

    /// <summary>Results of the simulations of other settings, for documents that show their curves.</summary>
    public ImmutableArray<WhatIfAnswer> Answers { get; init; } = [];

    /// <summary>Renders the requested document. For <c>github</c>, also writes annotations to standard error.</summary>
    public string Render(PoolReport report, OutputRequest printed) => printed.Format switch
    {
        "json" => JsonReportRenderer.Render(report, Now, ToolVersion.Text, printed.ShowCommandLine),
        "html" => HtmlReportRenderer.Render(report, new(Answers, Now, ToolVersion.Text, printed.ShowCommandLine, printed.Time)),
        "plain" => BuildLogRenderer.Render(report, Asked(report), printed.Time),
        "github" => Github(report),
        "junit" => JunitRenderer.Render(report, Asked(report)),
        "text" when printed.Verbose => TextReportRenderer.Render(report, printed.Time, printed.ShowCommandLine),
        "text" => ShortReportRenderer.Render(
            report, printed.Time, printed.ShowCommandLine, TextLayout.In(context.Terminal.Width, printed.File)),
        _ => ReportSaver.Documents[printed.Format].Render(report, printed.Time),
    };

    DateTime Now => context.Time.GetUtcNow().UtcDateTime;

    // GitHub reads annotations also from standard error. So standard output contains only the page for the job summary.
    string Github(PoolReport report)
    {
        var answers = Asked(report);
        foreach (var line in GithubRenderer.Annotations(report, answers))
        {
            context.Error.WriteLine(line);
        }

        return GithubRenderer.Summary(report, answers);
    }

    List<ConditionAnswer> Asked(PoolReport report) => [.. failOn.Select(c => c.Look(report))];
}
