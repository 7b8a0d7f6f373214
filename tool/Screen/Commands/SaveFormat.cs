namespace Tpwatch.Screen.Commands;

/// <summary>A kind of file that the screen saves.</summary>
/// <param name="Document">The name of the document in <c>--format</c>; null for a recording.</param>
/// <param name="Ending">The ending of the file name.</param>
/// <param name="Says">The purpose of the file, in words for the user.</param>
sealed record SaveFormat(string? Document, string Ending, string Says)
{
    public static ImmutableArray<SaveFormat> All { get; } =
    [
        new("text", ".txt", "the report as text"),
        new("html", ".html", "a page with charts, for a browser"),
        new("json", ".json", "the report for a program"),
        new(null, ".nettrace", "the buffered events: replay or report opens them"),
        new("svg", ".svg", "the timeline as a picture"),
        new("csv", ".csv", "the values over time, for a spreadsheet"),
        new("csv-gaps", "-gaps.csv", "one line for each injection delay"),
        new("csv-requests", "-requests.csv", "one line for each route"),
        new("perfetto", ".perfetto.json", "a trace for ui.perfetto.dev"),
        new("speedscope", ".speedscope.json", "the stacks for speedscope.app"),
    ];

    /// <summary>The names of the documents.</summary>
    public static IEnumerable<string> Documents => All.Select(f => f.Document).OfType<string>();

    /// <summary>Returns the format with a document name; null if there is no such format.</summary>
    public static SaveFormat? Named(string word) => All.FirstOrDefault(f => f.Document == word);
}
