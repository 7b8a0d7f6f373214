using System.Diagnostics;
using Tpwatch.Cli;
using Tpwatch.Lab.Figures;
using Tpwatch.Lab.Hostile;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Recordings;
using Tpwatch.Run;
using Tpwatch.Serve;
using Tpwatch.Text;

namespace Tpwatch.Lab.Fleet;

/// <summary>
/// What is left of a watcher after processes have come and gone, as many as can be started: some live too shortly to be watched, every
/// second one is killed. The watcher has a temporary folder of its own, so that a file that it leaves is seen.
/// </summary>
static class ComeAndGo
{
    /// <summary>As many as two processors start and attach to within the time that they live.</summary>
    const int AtOnce = 8;

    /// <summary>The pool of the watcher keeps threads for a while; what a process takes and does not give back would be hundreds.</summary>
    const int MostMore = 4;

    /// <summary>Of the memory after a tenth of them: the runtime's heap takes its time to find its size.</summary>
    const double MostGrowth = 1.25;

    static readonly TimeSpan Settle = TimeSpan.FromSeconds(20);
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(10);

    public static async Task<int> RunAsync(TimeSpan span, bool write)
    {
        var load = MachineWords.LoadNow();
        var figures = await OfAsync(span);
        var (before, after) = (figures.Before, figures.After);
        return await FiguresFile.ConcludeAsync(
            FleetPage.ComeAndGoName, FleetPage.Of(figures, MachineWords.Of(load)), write, new Goals()
                .AtMost("threads more", after.Threads - before.Threads, MostMore)
                .AtMost("open files more", after.Descriptors - before.Descriptors, MostMore)
                .AtMost("files in the temporary folder more", after.Files - before.Files, 0)
                .AtMost("memory after, times that after a tenth of them", after.Megabytes / figures.Tenth.Megabytes, MostGrowth)
                .AtLeast("share that was watched", figures.Watched / (double)figures.Started, 0.5));
    }

    static async Task<ComeAndGoFigures> OfAsync(TimeSpan span)
    {
        var name = "fleet-" + Guid.NewGuid().ToString("N")[..8];
        using var folder = new TempFolder();
        var program = Copied(folder.Path, name);
        var temporary = Directory.CreateDirectory(folder["tmp"]).FullName;
        await using var watcher = await WatcherProcess.StartAsync(["-n", name, "--older-than", "1ms"], temporary);
        await Task.Delay(Settle);
        var before = Left.Of(watcher, temporary);
        using CancellationTokenSource end = new(span);
        var going = Enumerable.Range(0, AtOnce).Select(number => ComeAsync(program, number, end.Token)).ToArray();
        await Task.Delay(span / 10);
        var tenth = Left.Of(watcher, temporary);
        var all = await Task.WhenAll(going);
        await Task.Delay(Settle);
        var watched = await watcher.ValueAsync("tpwatch_targets_ended_total");
        return new(all.Sum(one => one.Started), watched, all.Sum(one => one.Hung), before, tenth, Left.Of(watcher, temporary));
    }

    // From no time at all to seconds, so that some end while they are being attached to.
    static async Task<(int Started, int Hung)> ComeAsync(string program, int number, CancellationToken end)
    {
        var (started, hung) = (0, 0);
        for (var life = number; !end.IsCancellationRequested; life += 7)
        {
            using var process = Process.Start(new ProcessStartInfo(BuiltPrograms.Host, [program, LoadProcess.Idle, "0"])
            {
                RedirectStandardInput = true, RedirectStandardOutput = true,
            })!;
            started++;
            await process.StandardOutput.ReadLineAsync(CancellationToken.None);
            await Task.Delay(TimeSpan.FromMilliseconds(life % AtOnce * 500), CancellationToken.None);
            if (life % 2 == 0)
                process.Kill();
            else
                process.StandardInput.Close();
            hung += await EndsAsync(process) ? 0 : 1;
        }

        return (started, hung);
    }

    // The load runs no task on its pool: it may meet the fault of the runtime that docs/cost.md tells of.
    static async Task<bool> EndsAsync(Process process)
    {
        using CancellationTokenSource limit = new(EndLimit);
        try
        {
            await process.WaitForExitAsync(limit.Token);
            return true;
        }
        catch (OperationCanceledException)
        {
            process.Kill();
            await process.WaitForExitAsync(CancellationToken.None);
            return false;
        }
    }

    // An assembly under another name is a process of another name: nobody else's are touched.
    static string Copied(string folder, string name)
    {
        var load = Path.Combine(AppContext.BaseDirectory, "Tpwatch.Load");
        var copy = Path.Combine(folder, name);
        File.Copy(load + ".dll", copy + ".dll");
        File.Copy(load + ".runtimeconfig.json", copy + ".runtimeconfig.json");
        return copy + ".dll";
    }
}

/// <summary>What a watcher holds at a moment.</summary>
/// <param name="Threads">Its threads.</param>
/// <param name="Descriptors">Its open files and sockets, without the assemblies that it has loaded by then.</param>
/// <param name="Files">Files and sockets in its temporary folder.</param>
/// <param name="Megabytes">Its resident memory.</param>
sealed record Left(long Threads, int Descriptors, int Files, double Megabytes)
{
    public static Left Of(WatcherProcess watcher, string temporary) => new(watcher.Threads, watcher.OpenFiles.Count(f => !IsProgram(f)),
        Directory.GetFileSystemEntries(temporary, "*", SearchOption.AllDirectories).Length, watcher.Megabytes);

    static bool IsProgram(string file) => Path.GetExtension(file) is ".dll" or ".pdb" or ".so";
}

/// <summary>What came and went, and what was left.</summary>
/// <param name="Started">Processes.</param>
/// <param name="Watched">Those that were watched until they ended.</param>
/// <param name="Hung">Those that did not end by themselves.</param>
/// <param name="Before">Before the first came.</param>
/// <param name="Tenth">While they came and went, after a tenth of the time.</param>
/// <param name="After">After the last had gone.</param>
sealed record ComeAndGoFigures(int Started, double Watched, int Hung, Left Before, Left Tenth, Left After);

/// <summary>
/// What being one of a fleet costs a busy process: items done with <c>serve</c> watching against without, in pairs, beside pairs with
/// <c>-p</c> that prints lines, and pairs without anybody.
/// </summary>
static class FleetPrice
{
    static readonly TimeSpan Window = TimeSpan.FromSeconds(3);
    static readonly TimeSpan Settle = TimeSpan.FromSeconds(1);

    public static async Task<int> RunAsync(int pairs, bool write)
    {
        var machine = MachineWords.LoadNow();
        await using var load = await LoadProcess.StartAsync(Environment.ProcessorCount * 4);
        var turns = new Turns(load, Window, Settle);
        await Task.Delay(Settle);
        var (_, prices) = await turns.TakeAsync(pairs, turns.MeasureAsync, () => ServedAsync(turns), () => PrintedAsync(turns));
        var page = FleetPage.OfPrice(prices, MachineWords.Of(machine));
        return await FiguresFile.ConcludeAsync(FleetPage.PriceName, page, write, FleetPage.GoalsOf(prices));
    }

    static async Task<Stretch> ServedAsync(Turns turns)
    {
        await using var watcher = await WatcherProcess.StartAsync(["-p", $"{turns.Pid}", "--older-than", "1s"]);
        return await WhileWatchedAsync(turns);
    }

    static async Task<Stretch> PrintedAsync(Turns turns)
    {
        using var lines = Process.Start(new ProcessStartInfo(BuiltPrograms.Host, [BuiltPrograms.Tool, "-p", $"{turns.Pid}"])
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        Task[] said = [lines.StandardOutput.ReadToEndAsync(), lines.StandardError.ReadToEndAsync()];
        try
        {
            return await WhileWatchedAsync(turns);
        }
        finally
        {
            await Signal.SendAsync("TERM", lines.Id, CancellationToken.None);
            await lines.WaitForExitAsync();
            await Task.WhenAll(said);
        }
    }

    static async Task<Stretch> WhileWatchedAsync(Turns turns)
    {
        await OpenSessions.IsOpenAsync(turns.Pid);
        return await turns.MeasureAsync();
    }
}

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
        using var folder = new TempFolder();
        var file = folder["idle.nettrace"];
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

        var page = FleetPage.OfReplayed([.. Heads, .. rows], MachineWords.Of(load));
        return await FiguresFile.ConcludeAsync(FleetPage.ReplayedName, page, write, goals);
    }

    static async Task RecordAsync(string file, TimeSpan span)
    {
        await using var idle = await FixtureProcess.StartAsync(2, "blocking-socket", "--seconds", "60");
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
            await fleet.RoundAsync(stop.Token);
        await RoundsAsync(fleet, Settle, stop.Token);
        var before = Environment.CpuUsage.TotalTime;
        var longest = await RoundsAsync(fleet, span, stop.Token);
        var share = (Environment.CpuUsage.TotalTime - before) / span;
        var began = Stopwatch.GetTimestamp();
        var text = await metrics.TextAsync(fleet.Latest, open: false, small: false, stop.Token);
        var pageMs = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
        using var own = Process.GetCurrentProcess();
        return new(count, share, Environment.WorkingSet / 1e6, own.Threads.Count, longest, pageMs, text.Length, fleet.Latest.Own.Watched);
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

    sealed record Seen(
        int Count, double Share, double Megabytes, int Threads, double RoundMs, double PageMs, int PageBytes, int StillWatched)
    {
        public string Row => $"| {Count}{(StillWatched < Count ? $", {StillWatched} at the end" : "")} | {Share * 100:0.0} % "
            + $"| {Megabytes:0} | {Threads} | {RoundMs:0} | {PageMs:0} | {PageBytes / 1000.0:0} |";
    }

    /// <summary>A machine of so many processes, each of which is the same recording.</summary>
    sealed class ReplayedMachine(string file, int count) : IProcessTracker
    {
        bool listed;

        public IReadOnlyList<ProcessRow> Arrivals()
        {
            var come = listed ? 0 : count;
            listed = true;
            return [.. Enumerable.Range(1, come).Select(pid =>
                new ProcessRow(pid, $"orders-{pid}", "10.0.12", "app", null) { StartTime = (ulong)pid })];
        }

        public Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel) =>
            Task.FromResult<IWatch>(new EngineWatch(ThreadPoolWatch.Replay(file, options with { ReplaySpeed = 1 }), hasTarget: false));

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
