using Tpwatch.Basics;
using Tpwatch.Benchmarks.Scores;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>
/// The budgets of the screen, measured on the real program in a terminal of our own, and written to tests/SCREEN-BUDGETS.md.
/// </summary>
static class ScreenBudgets
{
    const double IdleBytes = 1_000;
    const double BusyBytes = 60_000;
    const int WorstFrame = 20_000;
    const double IdleShare = 0.02;
    const double BusyShare = 0.10;
    const double KeyMs = 120;
    const double FirstMs = 400;
    const long ResidentKb = 120 * 1024;
    const long GrowthKb = 10 * 1024;
    const double WritesPerFrame = 2;

    static readonly TimeSpan Length = TimeSpan.FromSeconds(30);

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var dry = words.Has("--dry");
        var recordings = Path.Combine(BuiltPrograms.Root, "tests", "Recordings");
        var parts = new Dictionary<string, Func<Task<IEnumerable<Budget>>>>
        {
            ["idle"] = IdleAsync,
            ["busy"] = BusyAsync,
            ["first"] = () => FirstAsync(Path.Combine(recordings, "pool-burst.nettrace")),
            ["day"] = () => DayAsync(Path.Combine(recordings, "recovering.nettrace")),
        };
        if (words.Rest.Except(parts.Keys).Any())
            return words.Refuse($"screen takes --dry and some of {string.Join(", ", parts.Keys)}");
        var load = MachineWords.LoadNow();
        List<Budget> budgets = [];
        foreach (var part in words.Rest.Count > 0 ? words.Rest : [.. parts.Keys])
            budgets.AddRange(await parts[part]());
        var page = Page(budgets, MachineWords.Of([], load));
        Console.Write(page);
        if (!dry && words.Rest.Count == 0)
            await File.WriteAllTextAsync(Path.Combine(BuiltPrograms.Root, "tests", "SCREEN-BUDGETS.md"), page);
        return budgets.Exists(b => b.Holds == false) ? 1 : 0;
    }

    static async Task<IEnumerable<Budget>> IdleAsync()
    {
        await using var screen = await WatchedScreen.StartAsync(begin: false, "steady");
        var load = await SteadyLoad.MeasureAsync(screen.Terminal, Length);
        return
        [
            new("bytes to the terminal, idle target", "< 1 kB a second",
                SteadyLoad.Bytes(load.BytesPerSecond) + " a second", load.BytesPerSecond < IdleBytes),
            new("own processor use, idle target", "< 2 % of one", SteadyLoad.Percent(load.ProcessorShare), load.ProcessorShare < IdleShare),
        ];
    }

    static async Task<IEnumerable<Budget>> BusyAsync()
    {
        await using var screen = await WatchedScreen.StartAsync(begin: true, "pool-burst", "--items", "600");
        var load = await SteadyLoad.MeasureAsync(screen.Terminal, Length);
        var keys = await KeyToFrame.MeasureAsync(screen.Terminal);
        var p95 = keys[(int)Math.Ceiling(keys.Count * 0.95) - 1];
        var writes = await WriteCalls.MeasureAsync(screen.Terminal);
        return
        [
            new("bytes to the terminal, starved target, following at 0.25 s a column", "< 60 kB a second",
                SteadyLoad.Bytes(load.BytesPerSecond) + " a second", load.BytesPerSecond < BusyBytes),
            new("the largest frame of it", "< 20 kB",
                SteadyLoad.Bytes(load.WorstFrame) + $" of {Format.Plural(load.Frames, "frame")}", load.WorstFrame < WorstFrame),
            new("write calls a frame", "<= 2", writes is { } w
                ? FormattableString.Invariant($"{(double)w.Writes / w.Frames:0.00} ({w.Writes} for {w.Frames} frames)")
                : "no strace here", writes is { } c ? c.Writes <= WritesPerFrame * c.Frames : null),
            new("own processor use, starved target", "< 10 % of one",
                SteadyLoad.Percent(load.ProcessorShare), load.ProcessorShare < BusyShare),
            new("key to frame, 95th percentile, starved target", "< 120 ms",
                FormattableString.Invariant($"{p95:0} ms (median {keys[keys.Count / 2]:0} ms, {keys.Count} keys)"), p95 < KeyMs),
            new("memory after a minute (RSS)", "< 120 MB", SteadyLoad.Megabytes(load.ResidentKb), load.ResidentKb < ResidentKb),
        ];
    }

    static async Task<IEnumerable<Budget>> FirstAsync(string recording)
    {
        var times = await FirstFrame.MeasureAsync(recording);
        var median = times[times.Count / 2];
        return [new("first frame of `replay` after its start, median", "< 400 ms",
            FormattableString.Invariant($"{median:0} ms ({times[0]:0} to {times[^1]:0} ms, {times.Count} starts)"), median < FirstMs)];
    }

    static async Task<IEnumerable<Budget>> DayAsync(string recording)
    {
        var day = await DayReplay.MeasureAsync(recording);
        return
        [
            new("memory over a replayed day (RSS, largest)", "< 120 MB",
                $"{SteadyLoad.Megabytes(day.Peak)}{(day.Finished ? "" : ", not read to its end")}", day.Finished && day.Peak < ResidentKb),
            new("growth from its second quarter to its last", "< 10 MB", SteadyLoad.Megabytes(day.GrowthKb), day.GrowthKb < GrowthKb),
        ];
    }

    static string Page(IEnumerable<Budget> budgets, string machine) =>
        $"""
        # Budgets of the screen

        Measured on the real program at {WatchedScreen.Width}x{WatchedScreen.Height} in a pseudo terminal that counts bytes, and written by

            dotnet run --project tests/Tpwatch.Benchmarks -c Release -- screen

        Machine: {machine}

        | what | budget | measured | |
        |---|---|---|---|
        {string.Join('\n', budgets.Select(Budget.Row))}

        The starved target is the fixture `pool-burst` with 600 items; the idle one waits for its begin. The day is the recording
        `recovering` again and again for 24 hours, replayed with `--speed max`. Bytes and processor use are those of 30 s, after a minute in which the
        runtime compiles the program twice. Write calls are counted by strace on the running program.

        """;
}
