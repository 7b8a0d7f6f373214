using System.Globalization;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.Benchmarks.Scores;

namespace Tpwatch.Benchmarks.Fleet;

/// <summary>
/// What one watcher of many takes: processor and memory over the number of idle processes, how soon it tells that one of them starves, and
/// what is left of it after processes have come and gone, and what each of them pays. <c>fleet [1 10 50 150] [--seconds 30]</c>,
/// <c>fleet come [--minutes 5]</c>, <c>fleet price [--pairs 12]</c>,
/// <c>fleet replayed [150 300 600 1000] [--seconds 30]</c>; with <c>--write</c> the sections of tests/SCORES.md are written.
/// </summary>
static class FleetCommand
{
    static readonly string[] Heads =
    [
        "| idle processes | processor | memory, MB | threads | files | series | text, kB | packed, kB | told after, s |",
        "|---|---|---|---|---|---|---|---|---|",
    ];

    static readonly TimeSpan Settle = TimeSpan.FromSeconds(15);
    static readonly TimeSpan AttachLimit = TimeSpan.FromMinutes(3);
    static readonly TimeSpan ToldLimit = TimeSpan.FromSeconds(20);

    /// <summary>The goals: of 150, of each, and until it is told.</summary>
    const double MostShare = 0.05, MostMegabytes = 500, MostShareEach = 0.0003, MostMegabytesEach = 3, MostSeconds = 3;

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (seconds, minutes, pairs) = (words.Number("--seconds", 30), words.Number("--minutes", 5), words.Number("--pairs", 12));
        var (write, come, price, replayed) = (words.Has("--write"), words.Has("come"), words.Has("price"), words.Has("replayed"));
        int[] counts = words.Rest.Count == 0
            ? replayed ? [150, 300, 600, 1000] : [1, 10, 50, 150]
            : [.. words.Rest.Select(w => int.Parse(w, NumberStyles.None, CultureInfo.InvariantCulture))];
        return come ? await ComeAndGo.RunAsync(TimeSpan.FromMinutes(minutes), write)
            : price ? await FleetPrice.RunAsync(pairs, write)
            : replayed ? await ReplayedFleet.RunAsync(counts, TimeSpan.FromSeconds(seconds), write)
            : await CurveAsync(counts, TimeSpan.FromSeconds(seconds), write);
    }

    static async Task<int> CurveAsync(int[] counts, TimeSpan span, bool write)
    {
        var load = MachineWords.LoadNow();
        List<Figures> all = [];
        foreach (var count in counts)
        {
            all.Add(await OfAsync(count, span));
            Console.WriteLine(all[^1].Row);
        }

        List<string> sentences = [AgedFolds.Row()];
        var goals = all.Aggregate(new Goals(), (sum, f) => sum.AtMost("share of a processor", f.Share, MostShare)
            .AtMost("megabytes", f.Megabytes, MostMegabytes).AtMost("seconds until it is told", f.ToldSeconds, MostSeconds));
        if (all is [var first, .., var last])
        {
            var more = last.Count - first.Count;
            var (share, megabytes) = ((last.Share - first.Share) / more, (last.Megabytes - first.Megabytes) / more);
            sentences.Add(FormattableString.Invariant(
                $"each: {share * 100:0.000} % of a processor (at most {MostShareEach * 100:0.00} %), ")
                + FormattableString.Invariant($"{megabytes:0.0} MB (at most {MostMegabytesEach} MB)"));
            goals.AtMost("share of each", share, MostShareEach).AtMost("megabytes of each", megabytes, MostMegabytesEach);
        }

        var page = FleetPage.Of([.. Heads, .. all.Select(f => f.Row)], sentences, MachineWords.Of([], load));
        Console.WriteLine(page);
        if (write)
            await Benchmarks.Figures.FiguresFile.WriteAsync(FleetPage.Name, page);
        return goals.Conclude();
    }

    static async Task<Figures> OfAsync(int count, TimeSpan span)
    {
        using var copy = new FixtureCopy();
        List<FixtureProcess> fixtures = [];
        try
        {
            while (fixtures.Count < count)
                fixtures.Add(await FixtureProcess.StartAsync(copy.OnThisRuntime(web: false), 2, ["blocking-socket", "--seconds", "60"]));
            await using var watcher = await WatcherProcess.StartAsync(
                [.. fixtures.SelectMany(f => (string[])["-p", Text(f.Pid)]), "--older-than", "1s"]);
            await watcher.UntilAsync(Watched(count), AttachLimit);
            await Task.Delay(Settle);
            var before = watcher.ProcessorMs;
            await Task.Delay(span);
            var share = (watcher.ProcessorMs - before) / span.TotalMilliseconds;
            var text = await watcher.MetricsAsync();
            Figures figures = new(count, share, watcher.Megabytes, watcher.Threads, watcher.Descriptors)
            {
                Series = text.Split('\n').Count(line => line.Length > 0 && line[0] != '#'),
                Text = text.Length,
                Packed = await watcher.PackedAsync(),
            };
            await fixtures[^1].BeginAsync();
            return figures with { ToldSeconds = (await watcher.UntilAsync("tarved\"} 1\n", ToldLimit)).TotalSeconds };
        }
        finally
        {
            await Task.WhenAll(fixtures.Select(f => f.DisposeAsync().AsTask()));
        }
    }

    static string Watched(int count) => string.Create(CultureInfo.InvariantCulture, $"tpwatch_targets{{state=\"watched\"}} {count}\n");

    static string Text(int pid) => pid.ToString(CultureInfo.InvariantCulture);

    sealed record Figures(int Count, double Share, double Megabytes, int Threads, int Descriptors)
    {
        public int Series { get; init; }

        public int Text { get; init; }

        public int Packed { get; init; }

        public double ToldSeconds { get; init; }

        public string Row => FormattableString.Invariant(
            $"| {Count} | {Share * 100:0.0} % | {Megabytes:0} | {Threads} | {Descriptors} | {Series} ")
            + FormattableString.Invariant($"| {Text / 1000.0:0.0} | {Packed / 1000.0:0.0} | {ToldSeconds:0.0} |");
    }
}
