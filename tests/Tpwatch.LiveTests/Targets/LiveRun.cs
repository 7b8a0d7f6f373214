using System.Diagnostics;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Targets;

/// <summary>A fixture's run as the engine's public face saw it, beside what the fixture says of itself.</summary>
static class LiveRun
{
    /// <summary>A server has so long to start up.</summary>
    public static readonly TimeSpan StartUpAtMost = TimeSpan.FromSeconds(20);

    /// <summary>Of the time: a start takes what it can get, one that blocks takes a tenth.</summary>
    const double BusyShare = 0.2;

    /// <summary>Longer than the pool's first injections take: workers are held and items wait.</summary>
    static readonly TimeSpan Unseen = TimeSpan.FromSeconds(2);

    /// <summary>For so many looks a worker is waited for: two seconds, after which the scenario is taken for one without.</summary>
    const int MostLooks = 40;

    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(50);

    /// <summary>Attaches before the scenario begins and stays until it has ended by itself.</summary>
    public static Task<ObservedRun> OfAsync(TargetRuntime runtime, CancellationToken cancel, params string[] arguments) =>
        OfAsync(runtime, new WatchOptions(), cancel, arguments);

    /// <summary>The same with deep probes.</summary>
    public static async Task<ObservedRun> OfAsync(TargetRuntime runtime,
        WatchOptions options, CancellationToken cancel, params string[] arguments)
    {
        await using var target = await FixtureTarget.StartAsync(runtime, cancel, arguments);
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, options, cancel);
        return await WholeAsync(target, watch, cancel);
    }

    /// <summary>Stays with a fixture that has not begun yet from its begin to its end.</summary>
    public static async Task<ObservedRun> WholeAsync(FixtureTarget target, ThreadPoolWatch watch, CancellationToken cancel)
    {
        await FirstHeartbeatAsync(watch, cancel);
        await target.BeginAsync();
        return await ToItsEndAsync(target, watch, cancel);
    }

    /// <summary>
    /// Lets a fixture begin and attaches when its incident is under way, as one is met in life: nobody has seen how it came to that.
    /// </summary>
    public static async Task<ThreadPoolWatch> AttachLateAsync(FixtureTarget target,
        WatchOptions options, CancellationToken cancel, TimeSpan? after = null)
    {
        await target.BeginAsync();
        // On a busy machine the fixture begins later than it is told to. Where the pool has a part in it, a worker shows that it has.
        for (var looks = 0; looks < MostLooks && SeenProcesses.WorkersOf(target.Pid).Length == 0; looks++)
        {
            await Task.Delay(LookAgain, cancel);
        }

        await Task.Delay(after ?? Unseen, cancel);
        return await ThreadPoolWatch.AttachAsync(target.Pid, options, cancel);
    }

    /// <summary>The same, and stays until the fixture has ended by itself.</summary>
    public static async Task<ObservedRun> LateAsync(FixtureTarget target,
        WatchOptions options, CancellationToken cancel, TimeSpan? after = null)
    {
        await using var watch = await AttachLateAsync(target, options, cancel, after);
        return await ToItsEndAsync(target, watch, cancel);
    }

    /// <summary>
    /// As <see cref="AttachLateAsync"/>, of a server: after its start. Before, it compiles, and the runtime holds its threads.
    /// </summary>
    public static async Task<ThreadPoolWatch> AttachStartedAsync(FixtureTarget target,
        WatchOptions options, CancellationToken cancel, TimeSpan? after = null)
    {
        await target.BeginAsync();
        await Task.Delay(after ?? Unseen, cancel);
        await StartedUpAsync(target.Pid, cancel);
        return await ThreadPoolWatch.AttachAsync(target.Pid, options, cancel);
    }

    /// <summary>Stays with a fixture that is observed until it has ended by itself.</summary>
    public static async Task<ObservedRun> ToItsEndAsync(FixtureTarget target, ThreadPoolWatch watch, CancellationToken cancel)
    {
        Assert.Equal(SessionEnd.TargetExited, await watch.Completion.WaitAsync(cancel));
        return new(watch.Report(), await target.TruthAsync(cancel));
    }

    /// <summary>
    /// Starts a fixture by the engine, so that it is observed from its first instruction, and stays until it has ended by itself.
    /// </summary>
    public static Task<ObservedRun> LaunchedAsync(ProcessStartInfo command, CancellationToken cancel) =>
        LaunchedAsync(command, new WatchOptions(), cancel);

    /// <summary>The same with deep probes.</summary>
    public static async Task<ObservedRun> LaunchedAsync(ProcessStartInfo command, WatchOptions options, CancellationToken cancel)
    {
        using var folder = new TempFolder();
        command.ArgumentList.Add("--truth");
        command.ArgumentList.Add(folder["truth.ndjson"]);
        (command.RedirectStandardInput, command.RedirectStandardOutput, command.RedirectStandardError) = (true, true, true);
        await using var watch = await ThreadPoolWatch.LaunchAsync(command, options, cancel);
        Assert.Equal(SessionEnd.TargetExited, await watch.Completion.WaitAsync(cancel));
        Assert.Equal(0, await watch.Exit!.WaitAsync(cancel));
        using var file = File.OpenText(folder["truth.ndjson"]);
        return new(watch.Report(), TruthReader.Read(file));
    }

    /// <summary>Waits until the session delivers, so that nothing of the scenario is missed.</summary>
    public static Task FirstHeartbeatAsync(ThreadPoolWatch watch, CancellationToken cancel) => HeartbeatsAsync(watch, 1, cancel);

    /// <summary>Waits until so many heartbeats have come in all.</summary>
    public static Task HeartbeatsAsync(ThreadPoolWatch watch, int count, CancellationToken cancel) =>
        UntilAsync(() => watch.Report().Timeline.CounterSamples.Length >= count, cancel);

    /// <summary>Waits until something is so; the test's own time limit bounds it.</summary>
    public static async Task UntilAsync(Func<bool> met, CancellationToken cancel)
    {
        while (!met())
        {
            await Task.Delay(20, cancel);
        }
    }

    // By the kernel's count of its processor time.
    static async Task StartedUpAsync(int pid, CancellationToken cancel)
    {
        using var server = Process.GetProcessById(pid);
        var interval = TimeSpan.FromSeconds(1);
        for (var waited = Stopwatch.StartNew(); waited.Elapsed < StartUpAtMost;)
        {
            var before = server.TotalProcessorTime;
            await Task.Delay(interval, cancel);
            server.Refresh();
            if (server.TotalProcessorTime - before < interval * BusyShare)
            {
                return;
            }
        }
    }
}
