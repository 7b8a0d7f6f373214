using Tpwatch.Screen.Canvas;

namespace Tpwatch.Benchmarks.Pictures;

/// <summary>A file, or the part of a page between two marks.</summary>
/// <param name="Path">Relative to the root of the repository.</param>
/// <param name="Part">Name of the part; null is the whole file.</param>
/// <param name="Text">What it must hold.</param>
sealed record MadeText(string Path, string? Part, string Text);

/// <summary>
/// Every picture of the documentation, made by the program from a recording: as text, as SVG, and as a tour for asciinema.
/// </summary>
static class AllPictures
{
    const string Folder = "pictures";

    const double Seconds = 10;

    /// <summary>What is shown late in the recording, and the page that shows it.</summary>
    static readonly (string Name, string Page, string[] Keys, string Title)[] Shots =
    [
        ("overview", "README.md", [], "The overview while a burst starves the pool"),
        ("selected", "docs/screen.md", ["["], "The same with an injection selected"),
        ("findings", "docs/screen.md", ["6"], "The findings: what, why with the numbers, what to do, how sure"),
        ("help", "docs/screen.md", ["?", "pgdn"], "The help: the last keys, and what the marks mean"),
        ("injections", "docs/how-it-works.md", ["2"],
            "The injections, the last one drawn: what each gate check read, and the moments that the rule allows"),
    ];

    /// <summary>All of them, from the recordings in a folder.</summary>
    public static async Task<IReadOnlyList<MadeText>> MakeAsync(string recordings)
    {
        var recording = Path.Combine(recordings, Tour.Recording + ".nettrace");
        var made = new List<MadeText>();
        foreach (var (name, page, keys, title) in Shots)
        {
            var grid = await ShotAsync(recording, keys);
            made.Add(new($"{Folder}/{name}.svg", null, GridSvg.Of(grid, title)));
            made.Add(new(page, $"picture {name}", $"```text\n{Trimmed(grid)}```\n"));
        }

        made.Add(new($"{Folder}/tour.cast", null, await Tour.CastAsync(recording)));
        return made;
    }

    /// <summary>A page with a part replaced; null when it has no such part.</summary>
    public static string? WithPart(string page, string part, string text)
    {
        var (begin, end) = ($"<!-- {part} -->\n", $"<!-- /{part} -->");
        var (from, to) = (page.IndexOf(begin, StringComparison.Ordinal), page.IndexOf(end, StringComparison.Ordinal));
        return from < 0 || to < from ? null : page[..(from + begin.Length)] + text + page[to..];
    }

    static async Task<CellGrid> ShotAsync(string recording, string[] keys)
    {
        using var screen = new DrivenScreen();
        screen.Know((await RecordedMoments.ReadAsync(recording, [Seconds]))[0]);
        foreach (var key in keys)
        {
            screen.Press(key);
        }

        return screen.Shown;
    }

    // Blanks at the ends of lines do not survive every editor.
    static string Trimmed(CellGrid grid) => string.Concat(Enumerable.Range(0, grid.Height).Select(y => grid.Row(y).TrimEnd() + "\n"));
}
