using Tpwatch.Core;
using Tpwatch.LiveTests.Targets;
using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Lab.Screen;

/// <summary>
/// The budgets of the screen, measured on the real program in a terminal of our own, and written to tests/SCREEN-BUDGETS.md.
/// </summary>
static class ScreenBudgets
{
    const double FirstMs = 700;
    const double StillShare = 0.02;
    const double BusyBytes = 5_000;
    const double KeyMs = 120;
    const long ResidentKb = 120 * 1024;
    const long DayKb = 80 * 1024;
    const long GrowthKb = 10 * 1024;
    const int Minutes = 4;

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (dry, minutes) = (words.Has("--dry"), words.Number("--minutes", Minutes));
        var tool = words.File("--tool") ?? BuiltPrograms.Tool;
        var parts = new Dictionary<string, Func<Task<IEnumerable<Budget>>>>
        {
            ["first"] = () => FirstAsync(tool),
            ["steady"] = () => SteadyAsync(tool, TimeSpan.FromMinutes(minutes)),
            ["day"] = () => DayAsync(tool),
        };
        if (words.Rest.Except(parts.Keys).Any())
            return words.Refuse($"screen takes --dry, --minutes N, --tool FILE and some of {string.Join(", ", parts.Keys)}");
        var load = MachineWords.LoadNow();
        List<Budget> budgets = [];
        foreach (var part in words.Rest.Count > 0 ? words.Rest : [.. parts.Keys])
        {
            var measured = (await parts[part]()).ToList();
            measured.ForEach(budget => Console.Error.WriteLine(budget));
            budgets.AddRange(measured);
        }

        var page = Page(budgets, MachineWords.Of(load), minutes);
        Console.Write(page);
        if (!dry && words.Rest.Count == 0)
            await File.WriteAllTextAsync(BuiltPrograms.InTests("SCREEN-BUDGETS.md"), page);
        return budgets.Exists(b => b.Holds == false) ? 1 : 0;
    }

    static async Task<IEnumerable<Budget>> FirstAsync(string tool)
    {
        var times = new Spread(await FirstFrame.MeasureAsync(tool));
        return
        [
            new("first whole frame of `replay` after its start, median", "<= 700 ms",
                $"{times.Median:0} ms ({times.Least:0} to {times.Most:0}, {times.Count} starts)", times.Median <= FirstMs),
        ];
    }

    static async Task<IEnumerable<Budget>> SteadyAsync(string tool, TimeSpan length)
    {
        await using var screens = await SteadyScreens.StartAsync(tool);
        var all = await screens.MeasureAsync(length);
        var keys = await KeyToByte.MeasureAsync(screens.Still);
        Budget Row(string what, string limit, SteadyLoad load, Measure measure, double? most) =>
            new(what, limit, measure.Words(measure.Of(load)), most is null ? null : measure.Of(load) <= most);
        return
        [
            Row("bytes to the terminal, idle target, whose counters come once a second", "<= 5 kB a second", all.Idle, Bytes, BusyBytes),
            Row("own processor use, nothing changes (a replay at its end)", "<= 2 % of one", all.Still, Processor, StillShare),
            Row("bytes to the terminal, nothing changes", "0 a second", all.Still, Bytes, 0),
            Row("bytes to the terminal, starved target, following", "<= 5 kB a second", all.Starved, Bytes, BusyBytes),
            Row("own processor use, starved target", "-", all.Starved, Processor, null),
            new("key to its first byte, 95th percentile", "<= 120 ms",
                $"{keys.Percentile(0.95):0} ms (median {keys.Median:0} ms, {keys.Count} keys)", keys.Percentile(0.95) <= KeyMs),
            Row("memory (RSS, largest), starved target", "<= 120 MB", all.Starved, Memory, ResidentKb),
            Row("memory (RSS, largest), idle target", "<= 120 MB", all.Idle, Memory, ResidentKb),
            Row("growth from the second quarter to the last, starved target", "< 10 MB", all.Starved, Growth, GrowthKb),
            Row("growth from the second quarter to the last, idle target", "< 10 MB", all.Idle, Growth, GrowthKb),
        ];
    }

    static async Task<IEnumerable<Budget>> DayAsync(string tool)
    {
        var day = await DayReplay.MeasureAsync(tool);
        return
        [
            new("memory over a replayed day (RSS, largest)", "<= 80 MB",
                $"{Megabytes(day.Peak)}{(day.Finished ? "" : ", not read to its end")}", day.Finished && day.Peak <= DayKb),
            new("growth of it from its second quarter to its last", "< 10 MB", Megabytes(day.GrowthKb), day.GrowthKb < GrowthKb),
        ];
    }

    static Measure Processor { get; } = new(load => load.ProcessorShare, share => $"{share * 100:0.0} %");

    static Measure Bytes { get; } = new(load => load.BytesPerSecond, bytes => Format.Count((long)bytes) + " bytes");

    static Measure Memory { get; } = new(load => load.PeakKb, Megabytes);

    static Measure Growth { get; } = new(load => load.GrowthKb, Megabytes);

    static string Megabytes(double kilobytes) => $"{kilobytes / 1024:0.0} MB";

    static string Page(IEnumerable<Budget> budgets, string machine, int minutes) =>
        $"""
        # Budgets of the screen

        Measured on the real program at {WatchedScreen.Width}x{WatchedScreen.Height} in a pseudo terminal that counts bytes, and written by

            dotnet run --project tests/Tpwatch.Lab -c Release -- screen --tool FILE

        where FILE is the `dotnet-tpwatch.dll` of an installed package. Machine: {machine}

        | what | budget | measured | |
        |---|---|---|---|
        {string.Join('\n', budgets)}

        All but starts, keys and the day is of the same {minutes} minutes, after a minute in which the runtime compiles the program twice.
        Growth is that of these minutes only: a slower leak is not seen. The starved target is the fixture `pool-burst` with 2000 items; the
        idle one waits for its begin. The day is the recording `recovering` again and again for 24 hours, replayed with `--speed max`.

        """;

    /// <summary>What is asked of a load, and how it is told.</summary>
    sealed record Measure(Func<SteadyLoad, double> Of, Func<double, string> Words);

    /// <summary>One budget of the screen and what was measured; whether it holds, null where there is no bound.</summary>
    sealed record Budget(string What, string Limit, string Measured, bool? Holds)
    {
        public override string ToString() =>
            $"| {What} | {Limit} | {Measured} | {(Holds is { } holds ? holds ? "held" : "**missed**" : "-")} |";
    }
}

/// <summary>From the start of `replay` to its first whole frame with data in it.</summary>
static class FirstFrame
{
    const int Runs = 11;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    /// <summary>Milliseconds of each run but the first, which reads the files from the disk.</summary>
    public static async Task<IReadOnlyList<double>> MeasureAsync(string tool)
    {
        List<double> times = [];
        for (var run = 0; run <= Runs; run++)
            times.Add(await OnceAsync(tool));
        return times[1..];
    }

    static async Task<double> OnceAsync(string tool)
    {
        var start = TimeProvider.System.GetTimestamp();
        await using var terminal = WatchedScreen.Open(tool, "replay", SteadyScreens.Replayed);
        return await terminal.WaitAsync(IsWhole, Limit) is null
            ? throw new InvalidOperationException($"no first frame:\n{terminal.Text}")
            : TimeProvider.System.GetElapsedTime(start).TotalMilliseconds;
    }

    // A frame has no marks; the line of hints, with `q quit`, is the last of it.
    static bool IsWhole(string text) => text.IndexOf("REPLAY", StringComparison.Ordinal) is >= 0 and var at
        && text.IndexOf("quit", at, StringComparison.Ordinal) >= 0;
}

/// <summary>
/// From a key to the first byte that it causes: the help is opened and closed again and again over a replay that stands at its end, where
/// nothing else is written.
/// </summary>
static class KeyToByte
{
    const int Pairs = 30;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(5);
    static readonly TimeSpan Look = TimeSpan.FromMilliseconds(1);
    static readonly TimeSpan Between = TimeSpan.FromMilliseconds(200);

    public static async Task<Spread> MeasureAsync(OwnTerminal screen)
    {
        List<double> times = [];
        for (var press = 0; press < Pairs * 2; press++)
            times.Add(await PressAsync(screen));
        return new(times);
    }

    static async Task<double> PressAsync(OwnTerminal terminal)
    {
        // Not in step with the ticks of the screen.
        await Task.Delay(Between + TimeSpan.FromMilliseconds(Random.Shared.Next(100)));
        var (bytes, start) = (terminal.Bytes, TimeProvider.System.GetTimestamp());
        await terminal.TypeAsync("?");
        while (terminal.Bytes == bytes)
        {
            if (TimeProvider.System.GetElapsedTime(start) > Limit)
                throw new InvalidOperationException($"a key caused nothing:\n{terminal.Text}");
            await Task.Delay(Look);
        }

        return TimeProvider.System.GetElapsedTime(start).TotalMilliseconds;
    }
}

/// <summary>Memory of the screen while a day is replayed as fast as it can be read.</summary>
sealed record DayReplay(IReadOnlyList<long> ResidentKb, bool Finished)
{
    static readonly TimeSpan Look = TimeSpan.FromMilliseconds(100);
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(4);
    static readonly TimeSpan AtRest = TimeSpan.FromSeconds(3);

    public long Peak => ResidentKb.Max();

    /// <summary>Largest in the last quarter over the largest in the second: what still grows is a leak.</summary>
    public long GrowthKb => SteadyLoad.Quarter(ResidentKb, 3).Max() - SteadyLoad.Quarter(ResidentKb, 1).Max();

    public static async Task<DayReplay> MeasureAsync(string tool)
    {
        using var folder = new TempFolder();
        DayRecording.Write(BuiltPrograms.Recording("recovering"), folder["day.nettrace"], TimeSpan.FromDays(1));
        await using var terminal = WatchedScreen.Open(tool, "replay", folder["day.nettrace"], "--speed", "max");
        return await WatchAsync(terminal);
    }

    // The clock in the header says how much has been read; a screen drawn anew shows it whole.
    static async Task<bool> IsAtEndAsync(OwnTerminal terminal)
    {
        terminal.Forget();
        await terminal.TypeAsync("\e[15~");
        await WatchedScreen.MustAsync(terminal, "REPLAY");
        return terminal.Text.Contains("REPLAY end at 24:0", StringComparison.Ordinal);
    }

    // At its end the screen stands still.
    static async Task<DayReplay> WatchAsync(OwnTerminal terminal)
    {
        var (sizes, start) = (new List<long>(), TimeProvider.System.GetTimestamp());
        await WatchedScreen.MustAsync(terminal, "REPLAY");
        var (bytes, changed) = (terminal.Bytes, start);
        while (TimeProvider.System.GetElapsedTime(start) < Limit)
        {
            sizes.Add(terminal.StatusKb("VmRSS"));
            await Task.Delay(Look);
            if (terminal.Bytes != bytes)
                (bytes, changed) = (terminal.Bytes, TimeProvider.System.GetTimestamp());
            else if (TimeProvider.System.GetElapsedTime(changed) > AtRest)
                return new(sizes, await IsAtEndAsync(terminal));
        }

        return new(sizes, Finished: false);
    }
}

/// <summary>The loads of the three screens of a tool.</summary>
sealed record SteadyLoads(SteadyLoad Idle, SteadyLoad Starved, SteadyLoad Still);

/// <summary>
/// Three screens of one tool: over a target that does nothing, over one that starves, and over a replay that stands at its end.
/// </summary>
sealed class SteadyScreens : IAsyncDisposable
{
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(60);

    readonly WatchedScreen idle;
    readonly WatchedScreen starved;

    SteadyScreens(WatchedScreen idle, WatchedScreen starved, OwnTerminal still) =>
        (this.idle, this.starved, Still) = (idle, starved, still);

    public static string Replayed { get; } = BuiltPrograms.Recording("pool-burst");

    /// <summary>The replay at its end: nothing changes.</summary>
    public OwnTerminal Still { get; }

    public static async Task<SteadyScreens> StartAsync(string tool)
    {
        var still = WatchedScreen.Open(tool, "replay", Replayed, "--speed", "max");
        _ = await still.WaitAsync(t => t.Contains("REPLAY", StringComparison.Ordinal), EndLimit);
        return new(
            await WatchedScreen.StartAsync(tool, begin: false, "steady"),
            await WatchedScreen.StartAsync(tool, begin: true, "pool-burst", "--items", "2000", "--seconds", "3600"), still);
    }

    /// <summary>All three in the same time.</summary>
    public async Task<SteadyLoads> MeasureAsync(TimeSpan length)
    {
        var loads = await Task.WhenAll(
            SteadyLoad.MeasureAsync(idle.Terminal, length), SteadyLoad.MeasureAsync(starved.Terminal, length),
            SteadyLoad.MeasureAsync(Still, length));
        return new(loads[0], loads[1], loads[2]);
    }

    public async ValueTask DisposeAsync()
    {
        await idle.DisposeAsync();
        await starved.DisposeAsync();
        await Still.DisposeAsync();
    }
}

/// <summary>What a screen costs while nobody presses a key: bytes, processor time, memory.</summary>
sealed record SteadyLoad(double BytesPerSecond, double ProcessorShare, IReadOnlyList<long> ResidentKb)
{
    /// <summary>
    /// At first the runtime compiles what is used, twice: on an idle target it has mostly done after 40 s; a watch lasts longer.
    /// </summary>
    static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(60);

    static readonly TimeSpan Look = TimeSpan.FromSeconds(1);

    public long PeakKb => ResidentKb.Max();

    /// <summary>Median of the last quarter over that of the second: what still grows is a leak.</summary>
    public double GrowthKb => Median(Quarter(ResidentKb, 3)) - Median(Quarter(ResidentKb, 1));

    public static async Task<SteadyLoad> MeasureAsync(OwnTerminal terminal, TimeSpan length)
    {
        await Task.Delay(WarmUp);
        var (bytes, cpu, start) = (terminal.Bytes, Processes.CpuMs(terminal.Pid), TimeProvider.System.GetTimestamp());
        List<long> resident = [terminal.StatusKb("VmRSS")];
        while (TimeProvider.System.GetElapsedTime(start) < length)
        {
            await Task.Delay(Look);
            terminal.Forget();
            resident.Add(terminal.StatusKb("VmRSS"));
        }

        var elapsed = TimeProvider.System.GetElapsedTime(start);
        return new((terminal.Bytes - bytes) / elapsed.TotalSeconds,
            (Processes.CpuMs(terminal.Pid) - cpu) / elapsed.TotalMilliseconds, resident);
    }

    public static IEnumerable<long> Quarter(IReadOnlyList<long> all, int number) =>
        all.Skip(all.Count * number / 4).Take(Math.Max(1, all.Count / 4));

    static double Median(IEnumerable<long> values) => new Spread(values.Select(value => (double)value)).Median;
}

/// <summary>The real tool with its screen in a terminal of our own, watching a fixture.</summary>
sealed class WatchedScreen : IAsyncDisposable
{
    public const int Width = 100;
    public const int Height = 30;

    static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(30);

    readonly FixtureProcess fixture;

    WatchedScreen(FixtureProcess fixture, OwnTerminal terminal) => (this.fixture, Terminal) = (fixture, terminal);

    public OwnTerminal Terminal { get; }

    /// <summary>Starts both, and the scenario when it shall begin; returns when the screen is live.</summary>
    public static async Task<WatchedScreen> StartAsync(string tool, bool begin, params string[] scenario)
    {
        var fixture = await FixtureProcess.StartAsync(processors: 8, scenario);
        var screen = new WatchedScreen(fixture, Open(tool, "-p", $"{fixture.Pid}"));
        await MustAsync(screen.Terminal, "LIVE");
        if (begin)
            await fixture.BeginAsync();
        return screen;
    }

    /// <summary>A tool with some arguments, in a terminal.</summary>
    public static OwnTerminal Open(string tool, params string[] arguments) =>
        OwnTerminal.Start((Width, Height), [BuiltPrograms.Host, "exec", tool, .. arguments], ("COLORTERM", "truecolor"));

    /// <summary>Waits for a text in a whole frame.</summary>
    public static async Task MustAsync(OwnTerminal terminal, string text) =>
        _ = await terminal.WaitAsync(t => t.Contains(text, StringComparison.Ordinal), StartLimit)
            ?? throw new InvalidOperationException($"the screen never showed {text}:\n{terminal.Text}");

    public async ValueTask DisposeAsync()
    {
        await Terminal.TypeAsync("q");
        await Terminal.ExitAsync(StartLimit);
        await Terminal.DisposeAsync();
        await fixture.DisposeAsync();
    }
}
