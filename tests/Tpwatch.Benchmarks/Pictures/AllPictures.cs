using Tpwatch.Cli;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Benchmarks.Pictures;

/// <summary>A file, or the part of a page between two marks.</summary>
/// <param name="Path">Relative to the root of the repository.</param>
/// <param name="Part">Name of the part; null is the whole file.</param>
/// <param name="Text">What it must hold.</param>
sealed record MadeText(string Path, string? Part, string Text);

/// <summary>
/// Every picture of the documentation, made by the program from recordings, the picker from made-up processes: as text, as SVG, and as a
/// tour for asciinema.
/// </summary>
static class AllPictures
{
    const string Folder = "pictures";

    /// <summary>What is shown late in a recording, and the page that shows it; by default of the tour's.</summary>
    static readonly Shot[] Shots =
    [
        new("overview", "README.md", [], "The overview while a burst starves the pool"),
        new("selected", "docs/screen.md", ["["], "The same with an injection selected"),
        new("injections", "docs/how-it-works.md", ["2"],
            "The injections, the last one drawn: what each gate check read, and the moments that the rule allows"),
        new("stacks", "docs/screen.md", ["3"], "The stacks: which call holds the worker threads") { Deep = "Deep/mixed-blocking" },
        new("inside", "docs/inside.md", ["3"], "The stacks with what was read of the memory: waits, the holder of a lock, the queue")
        {
            Deep = "Deep/inside",
        },
        new("latency", "docs/screen.md", ["4"], "The latency: how long items waited and ran") { Deep = "Deep/mixed-blocking" },
        new("climbing", "docs/screen.md", ["5"], "Hill climbing: its moves, and what they did") { Recording = "oscillation", Seconds = 60 },
        new("findings", "docs/screen.md", ["6"], "The findings: what, why with the numbers, what to do, how sure"),
        new("commands", "docs/screen.md", [":", "r", "e", "p"], "The list of commands: keys, and why one is not possible"),
        new("whatif", "docs/screen.md", ["w", "1"], "What if MinThreads were 30"),
        new("save", "docs/screen.md", ["s"], "The kinds of files to save"),
        new("help", "docs/screen.md", ["?"], "The help: keys, and what the marks mean"),
    ];

    /// <summary>All of them, from the recordings in a folder.</summary>
    public static async Task<IReadOnlyList<MadeText>> MakeAsync(string recordings)
    {
        string File(string name) => Path.Combine(recordings, name + ".nettrace");
        var made = new List<MadeText>();
        foreach (var shot in Shots)
        {
            Add(shot.Name, shot.Page, shot.Title, await ShotAsync(File(shot.Deep ?? shot.Recording), shot));
        }

        Add("picker", "docs/screen.md", "The processes to choose from, with the verdict of a short look at each",
            PickerPicture.Of((await RecordedMoments.ReadAsync(File(Tour.Recording), [Tour.Late]))[0],
                (await RecordedMoments.ReadAsync(File("steady"), [Tour.Late]))[0]));
        made.Add(new($"{Folder}/tour.cast", null, await Tour.CastAsync(File(Tour.Recording))));
        return made;

        void Add(string name, string page, string title, CellGrid grid)
        {
            made.Add(new($"{Folder}/{name}.svg", null, GridSvg.Of(grid, title)));
            made.Add(new(page, $"picture {name}", $"```text\n{Trimmed(grid)}```\n"));
        }
    }

    /// <summary>A page with a part replaced; null when it has no such part.</summary>
    public static string? WithPart(string page, string part, string text)
    {
        var (begin, end) = ($"<!-- {part} -->\n", $"<!-- /{part} -->");
        var (from, to) = (page.IndexOf(begin, StringComparison.Ordinal), page.IndexOf(end, StringComparison.Ordinal));
        return from < 0 || to < from ? null : page[..(from + begin.Length)] + text + page[to..];
    }

    static async Task<CellGrid> ShotAsync(string recording, Shot shot)
    {
        // Before there is a screen: what is awaited then goes on in its loop, which nobody runs here.
        var report = shot.Deep is null ? (await RecordedMoments.ReadAsync(recording, [shot.Seconds]))[0]
            : await RecordedMoments.EndAsync(recording);
        using var screen = new DrivenScreen(new ScreenCalls { Save = (_, _) => "", Imagine = WhatIfRunner.Of });
        screen.Know(report);
        foreach (var key in shot.Keys)
        {
            screen.Press(key);
        }

        return screen.Shown;
    }

    // Blanks at the ends of lines do not survive every editor.
    static string Trimmed(CellGrid grid) => string.Concat(Enumerable.Range(0, grid.Height).Select(y => grid.Row(y).TrimEnd() + "\n"));

    /// <param name="Name">Name of the file and of the part.</param>
    /// <param name="Page">The page that shows it.</param>
    /// <param name="Keys">What is pressed.</param>
    /// <param name="Title">What it shows.</param>
    sealed record Shot(string Name, string Page, string[] Keys, string Title)
    {
        /// <summary>The recording, below the folder of recordings.</summary>
        public string Recording { get; init; } = Tour.Recording;

        /// <summary>A recording with stacks and items, shown at its end; null for none.</summary>
        public string? Deep { get; init; }

        /// <summary>The moment, seconds since the start of the capture.</summary>
        public double Seconds { get; init; } = Tour.Late;
    }
}
