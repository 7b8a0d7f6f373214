using System.Diagnostics;
using Tpwatch.Lab.Screen;
using Tpwatch.LiveTests.Targets;
using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Lab.Compare;

/// <summary>
/// Every figure of speed and price beside a peer, in one run: `compare dotnet-tpwatch dotnet-trace [--pairs N] [--large MB] [part...]`.
/// Prints the table, writes tests/PERFORMANCE.md unless a part was named, and ends with 1 when a budget is missed. Budgets are ratios
/// wherever there is something to divide by: a machine that is slow today is slow for both.
/// </summary>
static class CompareCommand
{
    const int DefaultPairs = 11;
    const int DefaultMegabytes = 1000;

    /// <summary>Of 10 kB, the smallest kind there is.</summary>
    const string SmallRecording = "holdoff-table";

    /// <summary>As many .NET processes as a busy host has.</summary>
    const int Listed = 20;

    const double VersionTimes = 1.0;

    // 150 and 350 ms, divided by the 90 that the peer took when these were wished.
    const double ListTimes = 1.7;
    const double ReportTimes = 3.9;

    /// <summary>What a person waits for a report of a whole incident, milliseconds. Bare, so that it is no gate of every build.</summary>
    const double IncidentMs = 400;

    const string IncidentRecording = "pool-burst";

    const double LargeTimes = 0.25;
    const long LargeBytes = 150L << 20;
    const double ScreenShare = 0.006;
    const double LinesShare = 0.002;

    /// <summary>Items that a saturated target keeps. On .NET 8 each of their events carries a stack, which cannot be left out.</summary>
    const double ItemsKept = 0.95;

    const int ItemPairs = 8;

    /// <summary>
    /// Until the runtime has compiled what runs again and again: it optimises what was called 30 times, and the rarest of it is called
    /// every four seconds.
    /// </summary>
    static readonly TimeSpan Warm = TimeSpan.FromSeconds(150);

    static readonly TimeSpan Idle = TimeSpan.FromSeconds(30);

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (pairs, megabytes) = (words.Number("--pairs", DefaultPairs), words.Number("--large", DefaultMegabytes));
        if (words.Rest.Count < 2)
            return words.Refuse("compare takes the paths of dotnet-tpwatch and dotnet-trace, --pairs, --large and names of parts");
        var (tool, peer, parts) = (words.Rest[0], words.Rest[1], words.Rest.Skip(2).ToArray());
        var load = MachineWords.LoadNow();
        var all = new Dictionary<string, Func<Task<IEnumerable<ComparedRow>>>>
        {
            ["start"] = () => StartsAsync(tool, new(peer, "--version"), pairs),
            ["large"] = () => LargeAsync(megabytes),
            ["idle"] = IdleAsync,
            ["first"] = () => FirstLook.MeasureAsync(CountersBeside(peer)),
            ["items"] = ItemsAsync,
        };
        List<ComparedRow> rows = [];
        foreach (var part in parts is [] ? [.. all.Keys] : parts.Where(all.ContainsKey))
            rows.AddRange(await all[part]());
        var page = Page(rows, MachineWords.Of(load));
        Console.WriteLine(page);
        if (parts is [])
            await File.WriteAllTextAsync(BuiltPrograms.InTests("PERFORMANCE.md"), page);
        return rows.Exists(r => r.Holds == false) ? 1 : 0;
    }

    static async Task<IEnumerable<ComparedRow>> StartsAsync(string tool, Command peer, int pairs)
    {
        List<ComparedRow> rows =
        [
            Row(peer, "chance alone", null),
            Row(new(tool, "--version"), "`--version`", VersionTimes),
            Row(new(tool, "report", BuiltPrograms.Recording(SmallRecording)), "`report` of a recording of 10 kB", ReportTimes),
            Incident(),
        ];
        List<LoadProcess> many = [];
        try
        {
            while (many.Count < Listed)
                many.Add(await LoadProcess.StartAsync(chains: 0, LoadProcess.Idle));
            rows.Add(Row(new(tool, "ps"), $"`ps` of {Listed} processes", ListTimes));
            return rows;
        }
        finally
        {
            foreach (var one in many)
                await one.DisposeAsync();
        }

        ComparedRow Row(Command command, string what, double? most)
        {
            var times = Pairs.Of(command, peer, pairs);
            return ComparedRow.Ratio(what, $"`{peer}`", times.Wall, most,
                $"; {times.FirstMs.Median:0} ms; processor time {times.Processor.Median:0.00} times");
        }

        ComparedRow Incident()
        {
            var ms = Pairs.Of(new(tool, "report", BuiltPrograms.Recording(IncidentRecording)), peer, pairs).FirstMs;
            return new($"`report` of `{IncidentRecording}`", "", $"{ms.Median:0} ms ({ms.Least:0} to {ms.Most:0}, {ms.Count} times)",
                $"at most {IncidentMs:0} ms", ms.Median <= IncidentMs);
        }
    }

    static async Task<IEnumerable<ComparedRow>> LargeAsync(int megabytes)
    {
        var (times, peak, file) = await Large.MeasureAsync(megabytes);
        var what = $"whole analysis of {new FileInfo(file).Length / 1e6:0} MB, of which little is ours";
        return
        [
            ComparedRow.Ratio($"{what}, processor time", "a bare pass of the library", times, LargeTimes),
            new($"{what}, memory", "", $"{peak >> 20} MB", $"at most {LargeBytes >> 20} MB", peak <= LargeBytes),
        ];
    }

    // The tool's own processor time while it watches a target that does nothing: as a screen, and as lines.
    static async Task<IEnumerable<ComparedRow>> IdleAsync()
    {
        return [Share("screen", await OfScreenAsync(), ScreenShare), Share("lines", await OfLinesAsync(), LinesShare)];

        static ComparedRow Share(string how, double share, double most) => new($"own processor time, {how}, idle target", "one processor",
            $"{share * 100:0.00} %", $"at most {most * 100:0.0} %", share <= most);
    }

    static async Task<double> OfScreenAsync()
    {
        await using var screen = await WatchedScreen.StartAsync(BuiltPrograms.Tool, begin: false, "steady");
        return (await SteadyLoad.MeasureAsync(screen.Terminal, Idle)).ProcessorShare;
    }

    static async Task<double> OfLinesAsync()
    {
        await using var load = await LoadProcess.StartAsync(chains: 0, LoadProcess.Idle);
        using var tool = Process.Start(new ProcessStartInfo(BuiltPrograms.Host, [BuiltPrograms.Tool, "--pid", $"{load.Pid}"])
        {
            RedirectStandardOutput = true,
        })!;
        try
        {
            await Task.Delay(Warm);
            var (cpu, stamp) = (Processes.CpuMs(tool.Id), Stopwatch.GetTimestamp());
            await Task.Delay(Idle);
            return (Processes.CpuMs(tool.Id) - cpu) / Stopwatch.GetElapsedTime(stamp).TotalMilliseconds;
        }
        finally
        {
            tool.Kill();
            await tool.WaitForExitAsync();
        }
    }

    static async Task<IEnumerable<ComparedRow>> ItemsAsync()
    {
        var (now, net8) = await Price.SaturatedBothAsync(ItemPairs);
        return
        [
            Kept("no session", now.Nothing),
            Kept("basic session", now.Basic),
            Kept($"items probe, {now.ItemsPerSecond:0} items a second", now.Items, ItemsKept),
            Kept($"items probe on .NET 8, {net8.ItemsPerSecond:0} items a second", net8.Items),
        ];

        static ComparedRow Kept(string what, Spread share, double? least = null) => new(
            $"items a saturated target keeps: {what}", "a stretch without a session before",
            $"{share.Median:0.00} ({share.Least:0.00} to {share.Most:0.00}, {share.Count} pairs)",
            least is { } budget ? $"at least {budget:0.00}" : null, least is { } limit ? share.Median >= limit : null);
    }

    // In the folder of another program, or on the path; null where it is in neither.
    static string? CountersBeside(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
            .Prepend(Path.GetDirectoryName(Path.GetFullPath(program))!)
            .Select(folder => Path.Combine(folder, "dotnet-counters")).FirstOrDefault(File.Exists);

    static string Page(IEnumerable<ComparedRow> rows, string machine) =>
        $"""
        # Performance

        Measured in pairs, one after the other in turn, in one run, and written by

            dotnet run --project tests/Tpwatch.Lab -c Release -- compare artifacts/bench/dotnet-tpwatch artifacts/bench/dotnet-trace

        after `dotnet run build.cs -- pack bench`, which puts both tools there. Machine: {machine}

        | what | beside | measured | budget | |
        |---|---|---|---|---|
        {string.Join('\n', rows)}

        The first row is the peer beside itself: what it differs from 1 is chance. dotnet-counters is measured where it lies beside dotnet-trace or on
        the path.

        """;
}

/// <summary>
/// From the tool's start over a program that is starved already: until the screen is live, until it shows the queue, and until it explains.
/// The queue comes with the runtime's first counter sample, a second after the start; an explanation needs two of them, or an injection.
/// Beside it, in turn, dotnet-counters until its first numbers, where it is found.
/// </summary>
static class FirstLook
{
    const int Runs = 11;
    const double LiveMs = 500;

    /// <summary>Longer than all the looks together on a slow machine; it ends with us anyway.</summary>
    const string Seconds = "600";

    /// <summary>The queue of this program, in thousands; before the first sample there is none.</summary>
    const string FirstQueue = "k now";

    static readonly TimeSpan Late = TimeSpan.FromSeconds(8);
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    /// <summary>With what the name of each of its numbers begins; until they come it shows none.</summary>
    const string CountersFirst = "dotnet.";

    public static async Task<IEnumerable<ComparedRow>> MeasureAsync(string? counters)
    {
        await using var fixture = await FixtureProcess.StartAsync(processors: 8, "pool-burst", "--items", "2000", "--seconds", Seconds);
        await fixture.BeginAsync();
        await Task.Delay(Late);
        List<Look> looks = [];
        List<double> theirs = [];
        // The first start reads the files from the disk, which is another question.
        for (var run = 0; run <= Runs; run++)
        {
            looks.Add(await OnceAsync(fixture.Pid));
            if (counters is not null)
                theirs.Add(await CountersAsync(counters, fixture.Pid));
        }

        looks.RemoveAt(0);
        return
        [
            Row("start to a live screen, starved target", new(looks.Select(l => l.LiveMs)), LiveMs),
            Beside("start to the first numbers, starved target", look => look.NumbersMs),
            Beside("start to the first explanation, starved target", look => look.ExplainedMs),
        ];

        ComparedRow Beside(string what, Func<Look, double> ms) => counters is null
            ? Row(what, new(looks.Select(ms)), null)
            : ComparedRow.Ratio(what, "`dotnet-counters monitor` to its first numbers",
                new(looks.Zip(theirs.Skip(1), (ours, their) => ms(ours) / their)), 1,
                $"; {new Spread(looks.Select(ms)).Median:0} ms");
    }

    static async Task<Look> OnceAsync(int pid)
    {
        var begun = TimeProvider.System.GetTimestamp();
        await using var terminal = WatchedScreen.Open(BuiltPrograms.Tool, "-p", $"{pid}");
        var live = await SinceAsync(terminal, begun, "LIVE");
        var numbers = await SinceAsync(terminal, begun, FirstQueue);
        var explained = await SinceAsync(terminal, begun, "STARVED");
        await terminal.TypeAsync("q");
        await terminal.ExitAsync(Limit);
        return new(live, numbers, explained);
    }

    static async Task<double> CountersAsync(string counters, int pid)
    {
        var begun = TimeProvider.System.GetTimestamp();
        await using var terminal = OwnTerminal.Start(
            (WatchedScreen.Width, WatchedScreen.Height), [counters, "monitor", "-p", $"{pid}"]);
        _ = await terminal.WaitAsync(t => t.Contains(CountersFirst, StringComparison.Ordinal), Limit)
            ?? throw new InvalidOperationException($"dotnet-counters showed no number:\n{terminal.Text}");
        // It does not take a key in this terminal; the end of its connection ends its session.
        return TimeProvider.System.GetElapsedTime(begun).TotalMilliseconds;
    }

    static async Task<double> SinceAsync(OwnTerminal terminal, long begun, string text)
    {
        await WatchedScreen.MustAsync(terminal, text);
        return TimeProvider.System.GetElapsedTime(begun).TotalMilliseconds;
    }

    static ComparedRow Row(string what, Spread ms, double? most) => new(what, "the runtime sends counters once a second",
        $"{ms.Median:0} ms ({ms.Least:0} to {ms.Most:0}, {ms.Count} starts)",
        most is { } budget ? $"at most {budget:0} ms" : null,
        most is { } limit ? ms.Median <= limit : null);

    /// <summary>From the start until so much was seen, milliseconds.</summary>
    sealed record Look(double LiveMs, double NumbersMs, double ExplainedMs);
}
