using Tpwatch.Benchmarks.Scores;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>
/// The budgets of the screen, measured on the real program in a terminal of our own, beside a tool built before where one is named, and
/// written to tests/SCREEN-BUDGETS.md.
/// </summary>
static class ScreenBudgets
{
    const double FirstMs = 700;
    const double FirstRatio = 2;
    const double IdleShare = 0.02;
    const double BusyBytes = 5_000;
    const double KeyMs = 120;
    const long ResidentKb = 120 * 1024;
    const long DayKb = 80 * 1024;
    const long GrowthKb = 10 * 1024;
    const int Minutes = 4;

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var dry = words.Has("--dry");
        var minutes = words.Number("--minutes", Minutes);
        var before = words.File("--before");
        var tool = words.File("--tool") ?? BuiltPrograms.Tool;
        var recordings = Path.Combine(BuiltPrograms.Root, "tests", "Recordings");
        IReadOnlyList<string> tools = before is null ? [tool] : [tool, before];
        var replayed = Path.Combine(recordings, "pool-burst.nettrace");
        var parts = new Dictionary<string, Func<Task<IEnumerable<Budget>>>>
        {
            ["first"] = () => FirstAsync(tools, replayed),
            ["steady"] = () => SteadyAsync(tools, replayed, TimeSpan.FromMinutes(minutes)),
            ["day"] = () => DayAsync(tool, Path.Combine(recordings, "recovering.nettrace")),
        };
        if (words.Rest.Except(parts.Keys).Any())
            return words.Refuse($"screen takes --dry, --minutes N, --tool FILE, --before FILE and some of {string.Join(", ", parts.Keys)}");
        var load = MachineWords.LoadNow();
        List<Budget> budgets = [];
        foreach (var part in words.Rest.Count > 0 ? words.Rest : [.. parts.Keys])
        {
            var measured = (await parts[part]()).ToList();
            measured.ForEach(budget => Console.Error.WriteLine(Budget.Row(budget)));
            budgets.AddRange(measured);
        }

        var page = Page(budgets, MachineWords.Of([], load), minutes);
        Console.Write(page);
        if (!dry && words.Rest.Count == 0)
            await File.WriteAllTextAsync(Path.Combine(BuiltPrograms.Root, "tests", "SCREEN-BUDGETS.md"), page);
        return budgets.Exists(b => b.Holds == false) ? 1 : 0;
    }

    static async Task<IEnumerable<Budget>> FirstAsync(IReadOnlyList<string> tools, string recording)
    {
        var times = await FirstFrame.MeasureAsync(tools, recording);
        var now = Middle(times[0]);
        List<Budget> budgets =
        [
            new("first whole frame of `replay` after its start, median", "<= 700 ms", times.Skip(1).Select(Starts).FirstOrDefault(),
                Starts(times[0]), now <= FirstMs),
        ];
        if (times.Count > 1)
        {
            var ratio = Middle([.. times[0].Zip(times[1], (ours, theirs) => ours / theirs)]);
            budgets.Add(new("the same against the tool before, median of the pairs", "<= 2 times", "1",
                FormattableString.Invariant($"{ratio:0.00} times"), ratio <= FirstRatio));
        }

        return budgets;
    }

    static async Task<IEnumerable<Budget>> SteadyAsync(IReadOnlyList<string> tools, string recording, TimeSpan length)
    {
        List<SteadyScreens> screens = [];
        try
        {
            foreach (var tool in tools)
            {
                screens.Add(await SteadyScreens.StartAsync(tool, recording));
            }

            var loads = await Task.WhenAll(screens.Select(s => s.MeasureAsync(length)));
            var keys = await KeyToByte.MeasureAsync([.. screens.Select(s => s.Still)]);
            var (idle, starved, still) = loads[0];
            (SteadyLoad Idle, SteadyLoad Starved, SteadyLoad Still)? old = loads.Length > 1 ? loads[1] : null;
            return
            [
                Row(
                    "own processor use, idle target", "<= 2 % of one", l => l.ProcessorShare, SteadyLoad.Percent, IdleShare, idle,
                    old?.Idle),
                Row("bytes to the terminal, idle target, whose counters come once a second", "<= 5 kB a second",
                    l => l.BytesPerSecond, SteadyLoad.Bytes, BusyBytes, idle, old?.Idle),
                Row("own processor use, nothing changes (a replay at its end)", "<= 2 % of one",
                    l => l.ProcessorShare, SteadyLoad.Percent, IdleShare, still, old?.Still),
                Row("bytes to the terminal, nothing changes", "0 a second", l => l.BytesPerSecond, SteadyLoad.Bytes, 0, still, old?.Still),
                Row("bytes to the terminal, starved target, following", "<= 5 kB a second",
                    l => l.BytesPerSecond, SteadyLoad.Bytes, BusyBytes, starved, old?.Starved),
                Row("own processor use, starved target", "-", l => l.ProcessorShare, SteadyLoad.Percent, null, starved, old?.Starved),
                new("key to its first byte, 95th percentile", "<= 120 ms", keys.Skip(1).Select(Keys).FirstOrDefault(), Keys(keys[0]),
                    High(keys[0]) <= KeyMs),
                Row("memory (RSS, largest), starved target", "<= 120 MB",
                    l => l.PeakKb, SteadyLoad.Megabytes, ResidentKb, starved, old?.Starved),
                Row("memory (RSS, largest), idle target", "<= 120 MB", l => l.PeakKb, SteadyLoad.Megabytes, ResidentKb, idle, old?.Idle),
                Row("growth from the second quarter to the last, starved target", "< 10 MB",
                    l => l.GrowthKb, SteadyLoad.Megabytes, GrowthKb, starved, old?.Starved),
                Row("growth from the second quarter to the last, idle target", "< 10 MB",
                    l => l.GrowthKb, SteadyLoad.Megabytes, GrowthKb, idle, old?.Idle),
            ];
        }
        finally
        {
            foreach (var screen in screens)
            {
                await screen.DisposeAsync();
            }
        }
    }

    static async Task<IEnumerable<Budget>> DayAsync(string tool, string recording)
    {
        var day = await DayReplay.MeasureAsync(tool, recording);
        return
        [
            new("memory over a replayed day (RSS, largest)", "<= 80 MB", null,
                $"{SteadyLoad.Megabytes(day.Peak)}{(day.Finished ? "" : ", not read to its end")}", day.Finished && day.Peak <= DayKb),
            new("growth of it from its second quarter to its last", "< 10 MB", null,
                SteadyLoad.Megabytes(day.GrowthKb), day.GrowthKb < GrowthKb),
        ];
    }

    static Budget Row(string what, string limit, Func<SteadyLoad, double> value, Func<double, string> words, double? most,
        SteadyLoad now, SteadyLoad? before) =>
        new(what, limit, before is null ? null : words(value(before)), words(value(now)), most is null ? null : value(now) <= most);

    static double Middle(IReadOnlyList<double> values) => values.Order().ElementAt(values.Count / 2);

    static double High(IReadOnlyList<double> ascending) => ascending[(int)Math.Ceiling(ascending.Count * 0.95) - 1];

    static string Starts(IReadOnlyList<double> times) =>
        FormattableString.Invariant($"{Middle(times):0} ms ({times.Min():0} to {times.Max():0}, {times.Count} starts)");

    static string Keys(IReadOnlyList<double> times) =>
        FormattableString.Invariant($"{High(times):0} ms (median {times[times.Count / 2]:0} ms, {times.Count} keys)");

    static string Page(IEnumerable<Budget> budgets, string machine, int minutes) =>
        $"""
        # Budgets of the screen

        Measured on the real program at {WatchedScreen.Width}x{WatchedScreen.Height} in a pseudo terminal that counts bytes, and written by

            dotnet run --project tests/Tpwatch.Benchmarks -c Release -- screen --tool FILE --before FILE

        where each FILE is the `dotnet-tpwatch.dll` of an installed package: now, and of commit aac7d7a0, the last one with a front end of
        its own. Machine: {machine}

        | what | budget | before | now | |
        |---|---|---|---|---|
        {string.Join('\n', budgets.Select(Budget.Row))}

        Starts and keys of the two tools alternate; the other figures of both are of the same {minutes} minutes, after a minute in which the
        runtime compiles the program twice. Growth is that of these minutes only: a slower leak is not seen. The starved target is the fixture `pool-burst` with 2000 items; the idle one waits for its begin. The day is
        the recording `recovering` again and again for 24 hours, replayed with `--speed max`.

        """;
}
