using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Tpwatch.Cli;
using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Screen;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;
using Tpwatch.Watch;

namespace Tpwatch.Lab.Pictures;

/// <summary>What a file, or the part of a page between two marks, must hold. The path is relative to the root of the repository.</summary>
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
            Add(shot.Name, shot.Page, shot.Title, await ShotAsync(File(shot.Deep ?? shot.Recording), shot));
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
            screen.Press(key);
        return screen.Shown;
    }

    // Blanks at the ends of lines do not survive every editor.
    static string Trimmed(CellGrid grid) => string.Concat(Enumerable.Range(0, grid.Height).Select(y => grid.Row(y).TrimEnd() + "\n"));

    /// <summary>A picture of that name on a page, after some keys.</summary>
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

/// <summary>The tour of the documentation on the recording `pool-burst`: what happens, then the keys that explain it.</summary>
static class Tour
{
    public const string Recording = "pool-burst";

    /// <summary>A moment at which it is starved for some time; seconds since the start of the capture.</summary>
    public const double Late = 10;

    /// <summary>Where the tour enters the recording, and where the first key is pressed; seconds since the start of the capture.</summary>
    const double Begins = 1;
    const double FirstKey = 9;

    const double FrameSeconds = 0.5;

    /// <summary>A capture goes on to its end under the keys; a key is shown long enough to read what came of it.</summary>
    static readonly (string Key, double Seconds)[] Keys =
    [
        ("[", 2), ("[", 2), ("2", 4), ("down", 2), ("enter", 4), ("esc", 0.5), ("6", 4), ("enter", 2), ("f", 1.5), ("?", 4), ("esc", 1),
    ];

    /// <summary>The tour for asciinema.</summary>
    public static async Task<string> CastAsync(string recording)
    {
        var moments = Moments().ToList();
        var reports = await RecordedMoments.ReadAsync(recording, [.. moments.Select(m => m.Seconds)]);
        var cast = new Cast(DrivenScreen.Width, DrivenScreen.Height, "dotnet tpwatch: why the thread pool delays work");
        using var screen = new DrivenScreen();
        cast.Add(0, "\e[?1049h\e[?25l\e[0m\e[2J");
        for (var i = 0; i < moments.Count; i++)
        {
            var at = moments[i].Seconds - Begins;
            cast.Add(at, screen.Know(reports[i]));
            cast.Add(at, moments[i].Key is { } key ? screen.Press(key) : "");
        }

        cast.Add(moments[^1].Seconds - Begins + FrameSeconds, "\e[0m\e[?25h\e[?1049l");
        return cast.ToString();
    }

    static IEnumerable<(double Seconds, string? Key)> Moments()
    {
        var at = Begins;
        for (; at < FirstKey; at += FrameSeconds)
            yield return (at, null);
        foreach (var (key, seconds) in Keys)
        {
            yield return (at, key);
            for (var end = at + seconds; at + FrameSeconds < end;)
                yield return (at += FrameSeconds, null);
            at += FrameSeconds;
        }
    }
}

/// <summary>A recording of a terminal as asciinema plays it (format 2): a header, and a line for each piece of output.</summary>
sealed class Cast
{
    static readonly JsonSerializerOptions Plain = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    readonly StringBuilder lines = new();

    public Cast(int width, int height, string title) => lines.Append(CultureInfo.InvariantCulture,
        $"{{\"version\": 2, \"width\": {width}, \"height\": {height}, \"title\": {Quoted(title)}, \"env\": "
            + $"{{\"TERM\": \"xterm-256color\"}}}}\n");

    /// <summary>Output at a moment, seconds; nothing for an empty text.</summary>
    public void Add(double seconds, string output)
    {
        if (output.Length > 0)
            lines.Append(CultureInfo.InvariantCulture, $"[{seconds:0.000}, \"o\", {Quoted(output)}]\n");
    }

    public override string ToString() => lines.ToString();

    static string Quoted(string text) => JsonSerializer.Serialize(text, Plain);
}

/// <summary>What the screen knew at some moments of a recording, by event time: the same whenever and wherever it is read.</summary>
static class RecordedMoments
{
    /// <summary>
    /// A report for each moment, seconds since the start of the capture, in ascending order; after the end, the last one.
    /// </summary>
    public static async Task<IReadOnlyList<PoolReport>> ReadAsync(string recording, IReadOnlyList<double> seconds)
    {
        await using var session = RecordedSession.Open(recording);
        var fold = new PoolFold(session.Target, session.Source);
        var reports = new List<PoolReport>();
        EventTime? start = null;
        var sink = fold.Sink(at =>
        {
            start ??= at;
            while (reports.Count < seconds.Count && at.MsSince(start.Value) > seconds[reports.Count] * 1000)
                reports.Add(fold.Report(SessionEnd.StillOpen));
        });
        var end = session.Ended(new EventDecoder(session, ProbeSet.ForRecording()).Decode(new(session.Events), sink));
        while (reports.Count < seconds.Count)
            reports.Add(fold.Report(end));
        return reports;
    }

    /// <summary>The report at the end of a recording, with the stacks and items that lie beside it.</summary>
    public static async Task<PoolReport> EndAsync(string recording)
    {
        await using var replay = ThreadPoolWatch.Replay(recording, new WatchOptions());
        await replay.Completion;
        return replay.Report();
    }
}

/// <summary>
/// The picker of a made-up machine: two processes with reports of recordings, one that is still checked, one that cannot be watched.
/// </summary>
static class PickerPicture
{
    const int Height = 16;
    const int Starved = 41822;
    const int Healthy = 40011;

    static readonly ImmutableArray<ProcessRow> Rows =
    [
        new(39950, "Nightly", "8.0.22", "batch", "/usr/bin/dotnet /srv/Nightly.dll",
            "Process 39950 (Nightly) runs as user batch, but tpwatch runs as shop. Only user batch or root can attach.")
        {
            Hint = "Run tpwatch as batch (sudo -u batch ...) or as root.", Threads = 9, ProcessorMs = 1_000, AgeMs = 18_000_000,
        },
        new(Healthy, "Invoices", "10.0.12", "shop", "/usr/bin/dotnet /srv/Invoices.dll")
        {
            Threads = 19, ProcessorMs = 8_010, AgeMs = 10_800_000,
        },
        new(41790, "Mailer", "9.0.11", "shop", "/usr/bin/dotnet /srv/Mailer.dll") { Threads = 14, ProcessorMs = 500, AgeMs = 3_700_000 },
        new(Starved, "OrderApi", "10.0.12", "shop", "/usr/bin/dotnet /srv/OrderApi.dll")
        {
            Threads = 42, ProcessorMs = 9_060, AgeMs = 161_000,
        },
    ];

    /// <summary>The picker with the starved process under the cursor.</summary>
    public static CellGrid Of(PoolReport starved, PoolReport healthy)
    {
        var look = new Look(Theme.Dark, GlyphSet.Braille);
        PickerWindow? window = null;
        var never = new TaskCompletionSource<PickerCheck>();
        var links = new PickerCalls(() => Task.FromResult<IReadOnlyList<ProcessRow>>(Rows), row => row.Pid switch
        {
            Starved => Task.FromResult(new PickerCheck(starved, null)),
            Healthy => Task.FromResult(new PickerCheck(healthy, null)),
            _ => never.Task,
        });
        using var screen = HeadlessScreen.Of(
            () => ((window = new(links, look, TimeProvider.System)), window.Tick), look, DrivenScreen.Width, Height);
        screen.Tick();
        screen.Tick();
        screen.Press("down");
        screen.Press("down");
        return screen.Shown;
    }
}
