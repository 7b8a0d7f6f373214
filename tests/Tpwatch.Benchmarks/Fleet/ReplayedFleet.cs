using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Cli;
using Tpwatch.Core;
using Tpwatch.Recordings;
using Tpwatch.Run;
using Tpwatch.Serve;
using Tpwatch.Text;

namespace Tpwatch.Benchmarks.Fleet;

/// <summary>
/// The fleet's own code over more processes than a machine can run: one idle process is recorded, and each target is a replay of that
/// stream in real time. Left out is what the kernel does for a socket of each.
/// </summary>
static class ReplayedFleet
{
    static readonly string[] Heads =
    [
        "| replayed processes | processor | memory, MB | threads | longest round, ms | page, ms | page, kB |",
        "|---|---|---|---|---|---|---|",
    ];

    static readonly TimeSpan Settle = TimeSpan.FromSeconds(20), Spare = TimeSpan.FromSeconds(30);

    /// <summary>A round that takes longer than this delays the next one, milliseconds.</summary>
    const double MostRoundMs = 1000;

    public static async Task<int> RunAsync(int[] counts, TimeSpan span, bool write)
    {
        var load = MachineWords.LoadNow();
        var folder = Directory.CreateTempSubdirectory("tpwatch-replayed-").FullName;
        try
        {
            var file = Path.Combine(folder, "idle.nettrace");
            await RecordAsync(file, Settle + span + Spare);
            List<string> rows = [];
            var goals = new Goals();
            foreach (var count in counts)
            {
                var seen = await OfAsync(file, count, span);
                rows.Add(seen.Row);
                Console.WriteLine(seen.Row);
                goals.AtMost($"milliseconds of the longest round with {count}", seen.RoundMs, MostRoundMs);
            }

            var page = FleetPage.OfReplayed([.. Heads, .. rows], MachineWords.Of([], load));
            Console.WriteLine(page);
            if (write)
                await Figures.FiguresFile.WriteAsync(FleetPage.ReplayedName, page);
            return goals.Conclude();
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    static async Task RecordAsync(string file, TimeSpan span)
    {
        using var copy = new FixtureCopy();
        await using var idle = await FixtureProcess.StartAsync(copy.OnThisRuntime(web: false), 2, ["blocking-socket", "--seconds", "60"]);
        await using var watch = await ThreadPoolWatch.AttachAsync(idle.Pid, new WatchOptions { RecordTo = file }, CancellationToken.None);
        await Task.Delay(span);
        await watch.StopAsync(CancellationToken.None);
    }

    static async Task<Seen> OfAsync(string file, int count, TimeSpan span)
    {
        using var stop = new CancellationTokenSource();
        using var machine = new ReplayedMachine(file, count);
        using var metrics = new PrometheusPage();
        var context = new CommandContext(
            new LiveEngine(), TextWriter.Null, TextWriter.Null, TerminalFacts.None, TimeProvider.System, stop.Token);
        await using var fleet = new FleetWatch(machine, new(ListenAddress.Default, null) { Limit = count }, context, metrics);
        while (fleet.Latest.Own.Watched < count)
        {
            await fleet.RoundAsync(stop.Token);
        }

        await RoundsAsync(fleet, Settle, stop.Token);
        var before = Environment.CpuUsage.TotalTime;
        var longest = await RoundsAsync(fleet, span, stop.Token);
        var share = (Environment.CpuUsage.TotalTime - before) / span;
        var began = Stopwatch.GetTimestamp();
        var text = await metrics.TextAsync(fleet.Latest, open: false, small: false, stop.Token);
        var pageMs = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
        using var own = Process.GetCurrentProcess();
        return new(count, share, Environment.WorkingSet / 1e6, own.Threads.Count, longest)
        {
            PageMs = pageMs, PageBytes = text.Length, StillWatched = fleet.Latest.Own.Watched,
        };
    }

    // As `serve` does it, one round a second; the longest, in milliseconds.
    static async Task<double> RoundsAsync(FleetWatch fleet, TimeSpan span, CancellationToken cancel)
    {
        var longest = 0.0;
        for (var began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began) < span; await Task.Delay(1000, cancel))
        {
            var round = Stopwatch.GetTimestamp();
            await fleet.RoundAsync(cancel);
            longest = Math.Max(longest, Stopwatch.GetElapsedTime(round).TotalMilliseconds);
        }

        return longest;
    }

    sealed record Seen(int Count, double Share, double Megabytes, int Threads, double RoundMs)
    {
        public double PageMs { get; init; }

        public int PageBytes { get; init; }

        public int StillWatched { get; init; }

        public string Row => FormattableString.Invariant(
            $"| {Count}{(StillWatched < Count ? $", {StillWatched} at the end" : "")} | {Share * 100:0.0} % | {Megabytes:0} | {Threads} ")
            + FormattableString.Invariant($"| {RoundMs:0} | {PageMs:0} | {PageBytes / 1000.0:0} |");
    }

    /// <summary>A machine of so many processes, each of which is the same recording.</summary>
    sealed class ReplayedMachine(string file, int count) : IProcessTracker
    {
        bool listed;

        public IReadOnlyList<ProcessRow> Arrivals()
        {
            var come = listed ? 0 : count;
            listed = true;
            return
            [
                .. Enumerable.Range(1, come).Select(pid =>
                    new ProcessRow(pid, string.Create(CultureInfo.InvariantCulture, $"orders-{pid}"), "10.0.12", "app", null)
                    {
                        StartTime = (ulong)pid,
                    }),
            ];
        }

        public Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel) =>
            Task.FromResult<IWatch>(new LiveWatch(ThreadPoolWatch.Replay(file, options with { ReplaySpeed = 1 }), hasTarget: false));

        public void Later(ProcessRow process, TimeSpan after)
        {
        }

        public bool HasGone(ProcessRow process) => false;

        public Task<ISideStream> StreamAsync(ProcessRow process, CancellationToken cancel) => throw new NotSupportedException();

        public void Dispose()
        {
        }
    }
}
