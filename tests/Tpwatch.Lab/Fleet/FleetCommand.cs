using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Lab.Figures;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;
using Tpwatch.Watch;

namespace Tpwatch.Lab.Fleet;

/// <summary>
/// What one watcher of many takes: processor and memory over the number of idle processes, how soon it tells that one of them starves, and
/// what is left of it after processes have come and gone, and what each of them pays: <c>fleet [1 10 50 150] [--seconds 30]
/// [--tool FILE]</c>, where the file is the <c>dotnet-tpwatch.dll</c> of an installed package, <c>fleet come [--minutes 5]</c>,
/// <c>fleet price [--pairs 12]</c>, <c>fleet replayed [150 300 600 1000] [--seconds 30]</c>. With <c>--write</c> the sections of
/// tests/SCORES.md are written.
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
        var tool = words.File("--tool");
        int[] counts = words.Rest.Count == 0
            ? replayed ? [150, 300, 600, 1000] : [1, 10, 50, 150]
            : [.. words.Rest.Select(w => int.Parse(w, NumberStyles.None, CultureInfo.InvariantCulture))];
        return come ? await ComeAndGo.RunAsync(TimeSpan.FromMinutes(minutes), write)
            : price ? await FleetPrice.RunAsync(pairs, write)
            : replayed ? await ReplayedFleet.RunAsync(counts, TimeSpan.FromSeconds(seconds), write)
            : await CurveAsync(counts, TimeSpan.FromSeconds(seconds), tool, write);
    }

    static async Task<int> CurveAsync(int[] counts, TimeSpan span, string? tool, bool write)
    {
        var load = MachineWords.LoadNow();
        List<Point> all = [];
        foreach (var count in counts)
        {
            all.Add(await OfAsync(count, span, tool));
            Console.WriteLine(all[^1].Row);
        }

        List<string> sentences = [AgedFolds.Row()];
        var goals = all.Aggregate(new Goals(), (sum, f) => sum.AtMost("share of a processor", f.Share, MostShare)
            .AtMost("megabytes", f.Megabytes, MostMegabytes).AtMost("seconds until it is told", f.ToldSeconds, MostSeconds));
        if (all is [var first, .., var last])
        {
            var more = last.Count - first.Count;
            var (share, megabytes) = ((last.Share - first.Share) / more, (last.Megabytes - first.Megabytes) / more);
            sentences.Add($"each: {share * 100:0.000} % of a processor (at most {MostShareEach * 100:0.00} %), "
                + $"{megabytes:0.0} MB (at most {MostMegabytesEach} MB)");
            goals.AtMost("share of each", share, MostShareEach).AtMost("megabytes of each", megabytes, MostMegabytesEach);
        }

        var page = FleetPage.Of([.. Heads, .. all.Select(f => f.Row)], sentences, MachineWords.Of(load), tool is not null);
        return await FiguresFile.ConcludeAsync(FleetPage.Name, page, write, goals);
    }

    static async Task<Point> OfAsync(int count, TimeSpan span, string? tool)
    {
        List<FixtureProcess> fixtures = [];
        try
        {
            while (fixtures.Count < count)
                fixtures.Add(await FixtureProcess.StartAsync(2, "blocking-socket", "--seconds", "60"));
            await using var watcher = await WatcherProcess.StartAsync(
                [.. fixtures.SelectMany(f => (string[])["-p", $"{f.Pid}"]), "--older-than", "1s"], tool: tool);
            await watcher.UntilAsync($"tpwatch_targets{{state=\"watched\"}} {count}\n", AttachLimit);
            await Task.Delay(Settle);
            var before = watcher.ProcessorMs;
            await Task.Delay(span);
            var share = (watcher.ProcessorMs - before) / span.TotalMilliseconds;
            var text = await watcher.MetricsAsync();
            var (megabytes, threads, descriptors) = (watcher.Megabytes, watcher.Threads, watcher.OpenFiles.Count);
            var packed = await watcher.PackedAsync();
            await fixtures[^1].BeginAsync();
            var told = await watcher.UntilAsync("tarved\"} 1\n", ToldLimit);
            return new(count, share, megabytes, threads, descriptors, text.Split('\n').Count(line => line.Length > 0 && line[0] != '#'),
                text.Length, packed, told.TotalSeconds);
        }
        finally
        {
            await Task.WhenAll(fixtures.Select(f => f.DisposeAsync().AsTask()));
        }
    }

    sealed record Point(
        int Count, double Share, double Megabytes, long Threads, int Descriptors, int Series, int Text, int Packed, double ToldSeconds)
    {
        public string Row => $"| {Count} | {Share * 100:0.0} % | {Megabytes:0} | {Threads} | {Descriptors} | {Series} "
            + $"| {Text / 1000.0:0.0} | {Packed / 1000.0:0.0} | {ToldSeconds:0.0} |";
    }
}

/// <summary>
/// What the engine holds of a process after a day, without waiting for one: facts of a day are folded, and the managed heap is asked.
/// </summary>
static class AgedFolds
{
    const int Day = 24 * 3600;
    const int Folds = 10;

    /// <summary>A process with eight processors.</summary>
    public static TargetFacts Target { get; } = new()
    {
        Pid = 1, Name = "x", RuntimeVersion = "10.0.12", Processors = new(8, SettingSource.Event), MinWorkers = new(8, SettingSource.Event),
    };

    /// <summary>Megabytes a process after a day: idle, and with ten seconds of starvation every half hour.</summary>
    public static string Row() =>
        $"the engine holds of a process after a day: {Megabytes(starves: false):0.0} MB idle, "
        + $"{Megabytes(starves: true):0.0} MB with ten seconds of starvation every half hour";

    static double Megabytes(bool starves)
    {
        var before = GC.GetTotalMemory(forceFullCollection: true);
        PoolFold[] folds = [.. Enumerable.Range(0, Folds).Select(_ => Of(Day, starves))];
        PoolReport[] reports = [.. folds.Select(fold => fold.Report(SessionEnd.StillOpen))];
        var after = GC.GetTotalMemory(forceFullCollection: true);
        GC.KeepAlive((folds, reports));
        return (after - before) / 1e6 / Folds;
    }

    /// <summary>Folded for so many seconds; idle, or with ten seconds of starvation every half hour.</summary>
    public static PoolFold Of(int seconds, bool starves)
    {
        PoolFold fold = new(Target, SessionSource.Live);
        var sink = fold.Sink();
        sink.On(new StreamOpened(default, DateTime.UnixEpoch, 8));
        for (var second = 1; second <= seconds; second++)
            Play(sink, second, starves && second % 1800 < 10);
        return fold;
    }

    static void Play(IFactSink sink, int second, bool starves)
    {
        var at = new EventTime(0).PlusMs(second * 1000.0);
        sink.On(new CountersRead(at, 1000, 8 + second % 3, starves ? 50 : 0, starves ? 0 : 4, new(null, starves ? 0.01 : 0.02)));
        if (starves)
            sink.On(new TargetThreadsChanged(at.PlusMs(10), 900, 8 + second % 10, AdjustmentReason.Starvation));
        if (second % 7 == 0)
            sink.On(new WorkerWaited(at.PlusMs(20), 1000 + second % 8, 8 + second % 3));
    }
}

/// <summary>The built tool that serves, as a process of its own, and what it takes.</summary>
sealed partial class WatcherProcess : IAsyncDisposable
{
    static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(60);
    static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(30);
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(100);

    readonly HttpClient client = new();
    readonly Process process;
    readonly Task<string> output;
    Task<string>? error;
    string address = "";

    WatcherProcess(Process process)
    {
        this.process = process;
        output = process.StandardOutput.ReadToEndAsync();
    }

    public int Pid => process.Id;

    /// <summary>Processor time since its start, milliseconds.</summary>
    public double ProcessorMs => Processes.CpuMs(Pid);

    /// <summary>Resident memory, megabytes.</summary>
    public double Megabytes => Processes.Status(Pid, "VmRSS") / 1024.0;

    public long Threads => Processes.Status(Pid, "Threads");

    /// <summary>Open files, sockets among them; one that is closed meanwhile is left out.</summary>
    public IReadOnlyList<string> OpenFiles =>
        [.. Directory.GetFiles($"/proc/{Pid}/fd").Select(file => new FileInfo(file).LinkTarget).OfType<string>()];

    /// <param name="which">Arguments that say which processes.</param>
    /// <param name="temporary">Its temporary folder; null is everybody's.</param>
    public static async Task<WatcherProcess> StartAsync(IEnumerable<string> which, string? temporary = null, string? tool = null)
    {
        ProcessStartInfo start = new(BuiltPrograms.Host, [tool ?? BuiltPrograms.Tool, "serve", "--listen", "127.0.0.1:0", .. which])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        if (temporary is not null)
            start.Environment["TMPDIR"] = temporary;
        var watcher = new WatcherProcess(Process.Start(start)!);
        try
        {
            using var limit = new CancellationTokenSource(StartLimit);
            var line = await watcher.process.StandardError.ReadLineAsync(limit.Token);
            watcher.address = Address.Match(line ?? "").Value;
            watcher.error = watcher.process.StandardError.ReadToEndAsync();
            return watcher;
        }
        catch
        {
            await watcher.DisposeAsync();
            throw;
        }
    }

    /// <summary>The series as they are now.</summary>
    public Task<string> MetricsAsync() => client.GetStringAsync(new Uri(address + "metrics"));

    /// <summary>The value of a series without labels.</summary>
    public async Task<double> ValueAsync(string series) => double.Parse(
        (await MetricsAsync()).Split('\n').First(line => line.StartsWith(series + " ", StringComparison.Ordinal)).Split(' ')[1],
        CultureInfo.InvariantCulture);

    /// <summary>How long the text takes on a line that packs it, bytes.</summary>
    public async Task<int> PackedAsync()
    {
        using HttpRequestMessage request = new(HttpMethod.Get, address + "metrics");
        request.Headers.Add("Accept-Encoding", "gzip");
        using var reply = await client.SendAsync(request);
        return (await reply.Content.ReadAsByteArrayAsync()).Length;
    }

    /// <summary>Waits until the series have that text; how long it took.</summary>
    public async Task<TimeSpan> UntilAsync(string text, TimeSpan limit)
    {
        for (var began = Stopwatch.GetTimestamp(); ; await Task.Delay(Pace))
        {
            var waited = Stopwatch.GetElapsedTime(began);
            if ((await MetricsAsync()).Contains(text, StringComparison.Ordinal))
                return waited;
            if (waited > limit)
                throw new InvalidOperationException($"'{text}' did not come within {limit}");
        }
    }

    public async ValueTask DisposeAsync()
    {
        client.Dispose();
        if (!process.HasExited)
        {
            await Signal.SendAsync("TERM", Pid, CancellationToken.None);
            using var limit = new CancellationTokenSource(StopLimit);
            await process.WaitForExitAsync(limit.Token);
        }

        await output;
        await (error ?? Task.FromResult(""));
        process.Dispose();
    }

    [GeneratedRegex(@"http://127\.0\.0\.1:\d+/")]
    static partial Regex Address { get; }
}

/// <summary>The sections of tests/SCORES.md about <c>serve</c>.</summary>
static class FleetPage
{
    /// <summary>Names of the sections' markers.</summary>
    public const string Name = "fleet", ComeAndGoName = "fleet come and go", PriceName = "fleet price", ReplayedName = "fleet replayed";

    /// <summary>As of one basic session that somebody looks at.</summary>
    const double PriceGoal = 0.98;

    public static string Of(IEnumerable<string> rows, IEnumerable<string> sentences, string machine, bool isInstalled) =>
        $"""
        ## What watching many takes

        {machine} One watcher, {(isInstalled ? "the delivered package" : "as it is built")}, processes that are idle, the last of which then starves.
        Written by `fleet --tool FILE --write`.

        {string.Join('\n', rows)}

        {string.Join('\n', sentences.Select(sentence => $"- {sentence}"))}
        """;

    public static string OfReplayed(IEnumerable<string> rows, string machine) =>
        $"""
        ## What watching more processes than a machine can run takes

        {machine} One process is recorded while it is idle; each target of the fleet's own code is a replay of it in real time, in one process with
        the limits of the tool. A round is what `serve` does once a second. Written by `fleet replayed --write`.

        {string.Join('\n', rows)}
        """;

    public static string Of(ComeAndGoFigures seen, string machine) => $"""
        ## What is left of processes that come and go

        {machine} Written by `fleet come --write`.

        {seen.Started} processes came and went, {seen.Watched} of them were watched before they ended. Every second one was killed.
        {seen.Hung} of the others did not end within 10 s: the fault of the runtime that [docs/cost.md](../docs/cost.md) tells of.
        Here processes are attached to at once; `serve` leaves those alone that are younger than 10 s.

        | the watcher's | before | after a tenth of the time | 20 s after the last |
        |---|---|---|---|
        | threads | {seen.Before.Threads} | {seen.Tenth.Threads} | {seen.After.Threads} |
        | open files and sockets, without assemblies | {seen.Before.Descriptors} | {seen.Tenth.Descriptors} | {seen.After.Descriptors} |
        | files in its temporary folder | {seen.Before.Files} | {seen.Tenth.Files} | {seen.After.Files} |
        | memory, MB | {seen.Before.Megabytes:0} | {seen.Tenth.Megabytes:0} | {seen.After.Megabytes:0} |
        """;

    /// <param name="prices">With nobody, with a watcher of many, and with one that prints lines.</param>
    /// <param name="machine">On what, and when.</param>
    public static string OfPrice(Shares[] prices, string machine) =>
        $"""
        ## What a fleet's watcher costs each process

        {machine} Written by `fleet price --write`.

        A saturated pool: items with a watcher, as a share of those without, in pairs, beside pairs without anybody.
        Watcher and process share the processors.

        | watched by | items a processor-second of the process, median (least..most), pairs | items a second | goal |
        |---|---|---|---|
        | nobody | {prices[0].PerCpuSecond.Ratio()} | {prices[0].PerSecond.Ratio()} | |
        | `serve` | {prices[1].PerCpuSecond.Ratio()} | {prices[1].PerSecond.Ratio()} | at least {PriceGoal:0.00} |
        | `-p PID`, lines | {prices[2].PerCpuSecond.Ratio()} | {prices[2].PerSecond.Ratio()} | |
        """;

    public static Goals GoalsOf(Shares[] prices) => new Goals()
        .AtLeast("share of items with serve", prices[1].PerCpuSecond.Median, PriceGoal)
        .AtLeast("share of items with lines", prices[2].PerCpuSecond.Median, PriceGoal);
}
