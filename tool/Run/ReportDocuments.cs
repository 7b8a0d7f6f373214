using Tpwatch.Assertions;
using Tpwatch.Export;
using Tpwatch.Html;
using Tpwatch.Options;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Run;

/// <summary>Renders the documents that tpwatch can write about a report.</summary>
/// <param name="context">Engine, streams and terminal of this run.</param>
/// <param name="failOn">The conditions of <c>--fail-on</c>.</param>
sealed class ReportDocuments(CommandContext context, ImmutableArray<Condition> failOn)
{
    /// <summary>The names of the documents in <c>--format</c>; the first name is the default.</summary>
    public static readonly string[] Formats = ["text", "json", "html", "svg",
        "perfetto", "speedscope", "csv", "csv-gaps", "csv-requests", "plain", "github", "junit"];

    /// <summary>Whether a document contains simulated changes of settings. Simulating takes longer than reading a recording.</summary>
    public static bool TellsWhatIf(PrintRequest printed) => printed is { Format: "text", Verbose: true } or { Format: "json" or "html" };

    /// <summary>The documents that a watch or a replay can write at its end instead of printing lines.</summary>
    public static readonly string[] AtTheEnd = ["plain", "github", "junit"];

    /// <summary>The answers to the simulated changes of settings, with their curves.</summary>
    public ImmutableArray<WhatIfAnswer> Answers { get; init; } = [];

    /// <summary>Renders the requested document, and writes annotations for a build's log to standard error.</summary>
    public string Render(PoolReport report, PrintRequest printed) => printed.Format switch
    {
        "json" => JsonReportRenderer.Render(report, Now, ToolVersion.Text, printed.ShowCommandLine),
        "html" => HtmlReportRenderer.Render(report, new(Answers, Now, ToolVersion.Text, printed.ShowCommandLine, printed.Time)),
        "plain" => PlainRenderer.Render(report, Asked(report), printed.Time),
        "github" => Github(report),
        "junit" => JunitRenderer.Render(report, Asked(report)),
        "text" when printed.Verbose => TextReportRenderer.Render(report, printed.Time, printed.ShowCommandLine),
        "text" => ShortReportRenderer.Render(
            report, printed.Time, printed.ShowCommandLine, TextLayout.In(context.Terminal.Width, printed.File)),
        _ => SavedReport.Documents[printed.Format].Render(report, printed.Time),
    };

    DateTime Now => context.Time.GetUtcNow().UtcDateTime;

    // GitHub's runner reads both streams for annotations, so the page on standard output can be appended to the job summary's file.
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
