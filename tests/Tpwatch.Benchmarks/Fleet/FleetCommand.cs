using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Runs;

namespace Tpwatch.Benchmarks.Fleet;

/// <summary>
/// What one watcher of many takes: processor and memory over the number of idle processes, how soon it tells that one of them starves, and
/// what is left of it after processes have come and gone. <c>fleet [1 10 50 150] [--seconds 30] [--come 200]</c>
/// </summary>
static class FleetCommand
{
    static readonly TimeSpan Settle = TimeSpan.FromSeconds(15);
    static readonly TimeSpan AttachLimit = TimeSpan.FromMinutes(3);
    static readonly TimeSpan ToldLimit = TimeSpan.FromSeconds(20);

    /// <summary>The goals: of 150, of each, and until it is told.</summary>
    const double MostShare = 0.05, MostMegabytes = 500, MostShareEach = 0.0003, MostMegabytesEach = 3, MostSeconds = 3;

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (seconds, come) = (words.Number("--seconds", 30), words.Number("--come", 200));
        int[] counts = words.Rest.Count == 0
            ? [1, 10, 50, 150]
            : [.. words.Rest.Select(w => int.Parse(w, NumberStyles.None, CultureInfo.InvariantCulture))];
        Console.WriteLine("| idle processes | processor | memory, MB | threads | files | series | text, kB | packed, kB | told after, s |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|---|");
        List<Figures> all = [];
        foreach (var count in counts)
        {
            all.Add(await OfAsync(count, TimeSpan.FromSeconds(seconds)));
            Console.WriteLine(all[^1].Row);
        }

        Console.WriteLine(AgedFolds.Row());
        var failed = all.Count(f => f.Share > MostShare || f.Megabytes > MostMegabytes || f.ToldSeconds > MostSeconds);
        if (all is [var first, .., var last])
        {
            var more = last.Count - first.Count;
            var (share, megabytes) = ((last.Share - first.Share) / more, (last.Megabytes - first.Megabytes) / more);
            Console.WriteLine(FormattableString.Invariant(
                $"each: {share * 100:0.000} % of a processor (at most {MostShareEach * 100:0.00} %), ")
                + FormattableString.Invariant($"{megabytes:0.0} MB (at most {MostMegabytesEach} MB)"));
            failed += share > MostShareEach || megabytes > MostMegabytesEach ? 1 : 0;
        }

        failed += await ComeAndGoAsync(come);
        return failed == 0 ? 0 : 1;
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

    /// <summary>Processes of one name come, are watched for a moment and are killed, four at a time; what is left is told.</summary>
    static async Task<int> ComeAndGoAsync(int come)
    {
        const int AtOnce = 4;
        var name = "fleet-" + Guid.NewGuid().ToString("N")[..8];
        using var copy = new FixtureCopy();
        var program = Renamed(copy.OnThisRuntime(web: false), name);
        await using var watcher = await WatcherProcess.StartAsync(["-n", name, "--older-than", "1ms"]);
        await Task.Delay(Settle);
        var (threads, descriptors, megabytes) = (watcher.Threads, watcher.Descriptors, watcher.Megabytes);
        for (var gone = 0; gone < come; gone += AtOnce)
        {
            var fixtures = await Task.WhenAll(
                Enumerable.Range(0, AtOnce).Select(_ => FixtureProcess.StartAsync(program(), 2, ["blocking-socket"])));
            await watcher.UntilAsync(Watched(AtOnce), AttachLimit);
            await Task.WhenAll(fixtures.Select(f => f.DisposeAsync().AsTask()));
            await watcher.UntilAsync(Watched(0), AttachLimit);
            if (gone == come / 2 / AtOnce * AtOnce)
                megabytes = watcher.Megabytes;
        }

        await Task.Delay(Settle);
        var (moreThreads, moreDescriptors) = (watcher.Threads - threads, watcher.Descriptors - descriptors);
        var more = watcher.Megabytes - megabytes;
        Console.WriteLine(FormattableString.Invariant(
            $"{come} came and went: {moreThreads:+0;-0;0} threads, {moreDescriptors:+0;-0;0} files, {more:+0.0;-0.0} MB since half of it"));
        return moreThreads > AtOnce || moreDescriptors > AtOnce ? 1 : 0;
    }

    // An assembly under another name is a process of another name: nobody else's are touched.
    static Func<ProcessStartInfo> Renamed(ProcessStartInfo fixture, string name)
    {
        var assembly = fixture.ArgumentList.First(a => a.EndsWith(".dll", StringComparison.Ordinal));
        var renamed = Path.Combine(Path.GetDirectoryName(assembly)!, name + ".dll");
        File.Copy(assembly, renamed);
        File.Copy(Path.ChangeExtension(assembly, ".runtimeconfig.json"), Path.ChangeExtension(renamed, ".runtimeconfig.json"));
        return () => new(fixture.FileName, fixture.ArgumentList.Select(a => a == assembly ? renamed : a));
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
