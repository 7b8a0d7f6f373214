using System.Text;
using Tpwatch.Export;
using Tpwatch.Html;
using Tpwatch.Recordings;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>
/// Saves a report during a watch, as text or another document, in the working directory. Only its owner may read the file, and an existing
/// file is never overwritten.
/// </summary>
static class SavedReport
{
    /// <summary>Name of the document that the key <c>s</c> saves.</summary>
    public const string Text = "text";

    /// <summary>Maximum number of characters from a process's name, which keeps the file name readable.</summary>
    const int LongestName = 40;

    /// <summary>The documents by their names in <c>--format</c>, each with the ending of its file name.</summary>
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

    /// <summary>Whether a word is the name of a document.</summary>
    public static bool IsDocument(string word) => Documents.ContainsKey(word);

    /// <summary>Writes the report into a folder; returns a sentence with the path, or with the reason of a failure.</summary>
    /// <param name="report">The report.</param>
    /// <param name="time">How points in time are written.</param>
    /// <param name="folder">The folder.</param>
    /// <param name="document">Name of the document.</param>
    /// <param name="name">Name of the file, with or without its ending; null for a name from process and time.</param>
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

            // The document is rendered before the file is created, because a report may lack the data for the document.
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

    // The name is the same within a second of the capture, so that holding the key down does not fill the disk.
    static string NameOf(PoolReport report)
    {
        var target = report.Timeline.Target;
        var name = new string([.. target.Name.Where(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_').Take(LongestName)]);
        var moment = Seen(report).ToString("yyyyMMdd-HHmmss", System.Globalization.CultureInfo.InvariantCulture);
        return $"tpwatch-{name.TrimStart('.', '-')}-{Words.Pid(target).Replace('?', '0')}-{moment}";
    }
}
