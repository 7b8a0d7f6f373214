using Tpwatch.Benchmarks.Scores;

namespace Tpwatch.Benchmarks.Compare;

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
    const string SmallRecording = "holdoff-table.nettrace";

    /// <summary>As many .NET processes as a busy host has.</summary>
    const int Listed = 20;

    const double VersionTimes = 1.0;

    // What is wished, milliseconds, and divided by the 90 that the peer took when it was: a slower machine holds the ratio alone, and
    // where the peer has become faster what is waited for is as short as was wished all the same.
    const double ListMs = 150, ListTimes = 1.7;
    const double ReportMs = 350, ReportTimes = 3.9;

    const double LargeTimes = 0.25;
    const long LargeBytes = 150L << 20;
    const double ScreenShare = 0.006;
    const double LinesShare = 0.002;
    const double LineMs = 110;

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
            ["line"] = LineAsync,
            ["first"] = () => FirstLook.MeasureAsync(PeerPrograms.CountersBeside(peer)),
            ["items"] = Footprint.ItemsAsync,
        };
        List<ComparedRow> rows = [];
        foreach (var part in parts is [] ? [.. all.Keys] : parts.Where(all.ContainsKey))
            rows.AddRange(await all[part]());
        var page = PerformancePage.Of(rows, MachineWords.Of([], load));
        Console.WriteLine(page);
        if (parts is [])
            await File.WriteAllTextAsync(Path.Combine(BuiltPrograms.Root, "tests", "PERFORMANCE.md"), page);
        return rows.Exists(r => r.Holds == false) ? 1 : 0;
    }

    static async Task<IEnumerable<ComparedRow>> StartsAsync(string tool, Command peer, int pairs)
    {
        var small = Path.Combine(BuiltPrograms.Root, "tests", "Recordings", SmallRecording);
        List<ComparedRow> rows =
        [
            Row(peer, "chance alone", null),
            Row(new(tool, "--version"), "`--version`", VersionTimes),
            Row(new(tool, "report", small), "`report` of a recording of 10 kB", ReportTimes, ReportMs),
        ];
        await using var many = await IdlePrograms.StartAsync(Listed);
        rows.Add(Row(new(tool, "ps"), $"`ps` of {Listed} processes", ListTimes, ListMs));
        return rows;

        ComparedRow Row(Command command, string what, double? most, double? mostMs = null)
        {
            var times = Pairs.Of(command, peer, pairs);
            var row = ComparedRow.Ratio(what, $"`{peer}`", times.Wall, most,
                FormattableString.Invariant($"; {times.FirstMs.Median:0} ms; processor time {times.Processor.Median:0.00} times"));
            return mostMs is { } ms ? row.OrMs(times.FirstMs, ms) : row;
        }
    }

    static async Task<IEnumerable<ComparedRow>> LargeAsync(int megabytes)
    {
        var (times, peak, file) = await Large.MeasureAsync(megabytes);
        var what = FormattableString.Invariant($"whole analysis of {new FileInfo(file).Length / 1e6:0} MB, of which little is ours");
        return
        [
            ComparedRow.Ratio($"{what}, processor time", "a bare pass of the library", times, LargeTimes),
            new($"{what}, memory", "", FormattableString.Invariant($"{peak >> 20} MB"),
                FormattableString.Invariant($"at most {LargeBytes >> 20} MB"), peak <= LargeBytes),
        ];
    }

    static async Task<IEnumerable<ComparedRow>> IdleAsync() =>
    [
        Share("own processor time, screen, idle target", await IdleWatch.OfScreenAsync(), ScreenShare),
        Share("own processor time, lines, idle target", await IdleWatch.OfLinesAsync(), LinesShare),
    ];

    static ComparedRow Share(string what, double share, double most) => new(what, "one processor",
        FormattableString.Invariant($"{share * 100:0.00} %"), FormattableString.Invariant($"at most {most * 100:0.0} %"), share <= most);

    static async Task<IEnumerable<ComparedRow>> LineAsync() =>
    [
        .. (await Latency.MeasureAsync("40")).Select(late => new ComparedRow(
            $"event 55 ({late.Reason}) to its line, 95th percentile", "the runtime hands events out every 100 ms",
            FormattableString.Invariant(
                $"{late.LateMs.Percentile(0.95):0} ms (median {late.LateMs.Median:0} ms, {late.LateMs.Count} lines)"),
            FormattableString.Invariant($"at most {LineMs:0} ms"), late.LateMs.Percentile(0.95) <= LineMs)),
    ];
}
