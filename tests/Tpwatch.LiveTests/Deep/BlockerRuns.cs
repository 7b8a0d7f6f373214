using System.Collections.Immutable;
using System.Diagnostics;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Deep;

/// <summary>A scenario that blocks: its class, how it blocks, whether it is met in its middle, and further options.</summary>
sealed record BlockingScenario(string Name, string Type, BlockKind Kind, bool Late, string[] More)
{
    /// <summary>It is looked at until a burst of stacks has found so many workers held.</summary>
    public int Workers { get; init; } = 1;
}

/// <summary>The runs of the scenarios that block, each with a temporary folder of its own.</summary>
public sealed class BlockerRuns : IAsyncLifetime
{
    /// <summary>A burst takes a quarter of a processor for a moment.</summary>
    const int AtOnce = 3;

    /// <summary>
    /// Who has a lock, and that somebody has ended an item, is told by events that lie in the target for up to two seconds.
    /// </summary>
    static readonly TimeSpan Settled = TimeSpan.FromSeconds(3);

    /// <summary>A machine without time tells it later.</summary>
    static readonly TimeSpan SettledAtLast = TimeSpan.FromSeconds(20);

    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(50);

    /// <summary>
    /// Two kinds of blocking in one, so that none has nearly all workers: the first eight at a lock, others wait for tasks.
    /// </summary>
    internal static BlockingScenario Mixed { get; } =
        new("mixed-blocking", "MixedBlocking", BlockKind.Lock, Late: false, ["--locks", "8"]) { Workers = 10 };

    /// <summary>A server, whose frames stand between the pool's and the endpoint's.</summary>
    internal static BlockingScenario Web { get; } = new("web-sync-over-async", "WebSyncOverAsync", BlockKind.Task, Late: true, []);

    static readonly ImmutableArray<BlockingScenario> Blocking =
    [
        new("pool-burst", "PoolBurst", BlockKind.Sleep, Late: true, ["--items", "60"]),
        new("semaphore", "Semaphore", BlockKind.Wait, Late: true, []),
        new("lock-convoy", "LockConvoy", BlockKind.Lock, Late: false, []) { Workers = 3 },
        new("blocking-socket", "BlockingSocket", BlockKind.Io, Late: true, []),
        new("wait-all", "WaitAll", BlockKind.Wait, Late: false, []),
        new("sync-over-async", "SyncOverAsync", BlockKind.Task, Late: false, []),
        new("deadlock", "Deadlock", BlockKind.Wait, Late: true, ["--max", "12"]),
    ];

    /// <summary>
    /// Those whose stacks .NET 10 draws otherwise than the runtimes before it: a lock's wait had no frame then, a semaphore's and a task's
    /// had others. Those of .NET 8 and 9 are alike, frame by frame, in all scenarios.
    /// </summary>
    static readonly ImmutableArray<string> OtherwiseOnNet8 = ["semaphore", "lock-convoy", "sync-over-async"];

    readonly SharedRuns<(TargetRuntime, string), PoolReport> runs = new(AtOnce);
    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-blockers-");

    internal static IEnumerable<(TargetRuntime Runtime, BlockingScenario Scenario)> All =>
        from runtime in new[] { TargetRuntime.Net10, TargetRuntime.Net8 }
        from scenario in Blocking
        where runtime == TargetRuntime.Net10 || OtherwiseOnNet8.Contains(scenario.Name)
        select (runtime, scenario);

    internal static BlockingScenario Scenario(string name) => Blocking.Single(scenario => scenario.Name == name);

    /// <summary>What was seen, and what was left in the temporary folder.</summary>
    internal async Task<(PoolReport Report, string[] Left)> OfAsync(TargetRuntime runtime, string scenario) =>
        (await runs.OfAsync((runtime, scenario)), Directory.GetFileSystemEntries(Folder(runtime, scenario)));

    public ValueTask InitializeAsync()
    {
        (TargetRuntime, BlockingScenario)[] further =
            [(TargetRuntime.Net10, Mixed), (TargetRuntime.Net8, Mixed), (TargetRuntime.Net10, Web)];
        foreach (var (runtime, scenario) in All.Concat(further))
        {
            var own = Directory.CreateDirectory(Folder(runtime, scenario.Name)).FullName;
            runs.Begin(
                (runtime, scenario.Name),
                async cancel => scenario == Web ? WebFixtureBuild.Command() : FixtureBuild.Command(runtime),
                async (command, cancel) =>
                {
                    await using var target = await FixtureTarget.StartAsync(
                        command, cancel, [scenario.Name, .. scenario.More, "--seconds", "60", "--processors", "4"]);
                    return await ObservedAsync(
                        target, scenario, new WatchOptions { Depth = CaptureDepth.Stacks, TemporaryFolder = own }, cancel);
                });
        }

        return ValueTask.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        await runs.DisposeAsync();
        folder.Delete(recursive: true);
    }

    static async Task<PoolReport> ObservedAsync(FixtureTarget target,
        BlockingScenario scenario, WatchOptions options, CancellationToken cancel)
    {
        await using var watch = scenario == Web ? await LiveRun.AttachStartedAsync(target, options, cancel)
            : scenario.Late ? await LiveRun.AttachLateAsync(target, options, cancel)
            : await ThreadPoolWatch.AttachAsync(target.Pid, options, cancel);
        if (!scenario.Late)
        {
            await LiveRun.FirstHeartbeatAsync(watch, cancel);
            await target.BeginAsync();
        }

        while (watch.Report().Bursts?.Taken.Any(burst => burst.Workers >= scenario.Workers) != true)
        {
            await Task.Delay(LookAgain, cancel);
        }

        await Task.Delay(Settled, cancel);
        for (var more = Stopwatch.StartNew(); more.Elapsed < SettledAtLast && IsUnsettled(watch.Report());)
        {
            await Task.Delay(LookAgain, cancel);
        }

        await watch.StopAsync(cancel);
        return watch.Report();
    }

    // Before .NET 10 only its event tells that a thread waits for a lock; and a burst in the moment of a hand-over sees no owner.
    static bool IsUnsettled(PoolReport report) =>
        report.Blockers is [{ Kind: BlockKind.Native or BlockKind.Unseen } or { Kind: BlockKind.Lock, Owner: null }, ..];

    string Folder(TargetRuntime runtime, string scenario) => Path.Combine(folder.FullName, $"{runtime}-{scenario}");
}
