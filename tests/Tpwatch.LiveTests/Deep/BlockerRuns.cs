using System.Collections.Immutable;
using Tpwatch.Explain;
using Tpwatch.LiveTests.Scenarios;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Deep;

/// <summary>A scenario that blocks: its class, how it blocks, and further options.</summary>
internal sealed record BlockingScenario(string Name, string Type, BlockKind Kind, string[] More);

/// <summary>The runs of the scenarios that block, on every runtime, several at a time since they sleep; each with a temporary folder of its own.</summary>
public sealed class BlockerRuns : IAsyncLifetime
{
    /// <summary>A burst takes a quarter of a processor for a moment; three at once leave room.</summary>
    const int AtOnce = 3;

    /// <summary>Two kinds of blocking in one, so that none has nearly all workers.</summary>
    internal static BlockingScenario Mixed { get; } = new("mixed-blocking", "MixedBlocking", BlockKind.Lock, ["--locks", "8"]);

    /// <summary>A server, whose frames stand between the pool's and the endpoint's.</summary>
    internal static BlockingScenario Web { get; } = new("web-sync-over-async", "WebSyncOverAsync", BlockKind.Task, []);

    static readonly ImmutableArray<BlockingScenario> Blocking =
    [
        new("pool-burst", "PoolBurst", BlockKind.Sleep, ["--items", "60"]),
        new("semaphore", "Semaphore", BlockKind.Wait, []),
        new("lock-convoy", "LockConvoy", BlockKind.Lock, []),
        new("blocking-socket", "BlockingSocket", BlockKind.Io, []),
        new("wait-all", "WaitAll", BlockKind.Wait, []),
        new("sync-over-async", "SyncOverAsync", BlockKind.Task, []),
        new("deadlock", "Deadlock", BlockKind.Wait, ["--max", "12"]),
    ];

    static readonly ImmutableArray<(TargetRuntime Runtime, BlockingScenario Scenario)> Further =
    [
        (TargetRuntime.Net10, Mixed), (TargetRuntime.Net9, Mixed), (TargetRuntime.Net8, Mixed), (TargetRuntime.Net10, Web),
    ];

    readonly SemaphoreSlim room = new(AtOnce);
    readonly CancellationTokenSource ends = new();
    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-blockers-");
    ImmutableDictionary<(TargetRuntime, string), Task<(ObservedRun Run, string[] Left)>> runs = ImmutableDictionary<(TargetRuntime, string), Task<(ObservedRun, string[])>>.Empty;

    internal static IEnumerable<(TargetRuntime Runtime, BlockingScenario Scenario)> All =>
        from runtime in new[] { TargetRuntime.Net10, TargetRuntime.Net9, TargetRuntime.Net8 } from scenario in Blocking select (runtime, scenario);

    internal static BlockingScenario Scenario(string name) => Blocking.Single(scenario => scenario.Name == name);

    /// <summary>A run that has ended, and what it left in its temporary folder.</summary>
    internal Task<(ObservedRun Run, string[] Left)> OfAsync(TargetRuntime runtime, string scenario) => runs[(runtime, scenario)];

    public ValueTask InitializeAsync()
    {
        runs = All.Concat(Further).ToImmutableDictionary(one => (one.Runtime, one.Scenario.Name), one => RunAsync(one.Runtime, one.Scenario));
        return ValueTask.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        await ends.CancelAsync();
        foreach (var run in runs.Values)
        {
            await Task.WhenAny(run);
        }

        folder.Delete(recursive: true);
        ends.Dispose();
        room.Dispose();
    }

    async Task<(ObservedRun, string[])> RunAsync(TargetRuntime runtime, BlockingScenario scenario)
    {
        await room.WaitAsync(ends.Token);
        try
        {
            var own = folder.CreateSubdirectory($"{runtime}-{scenario.Name}").FullName;
            var command = scenario == Web ? WebFixtureBuild.Command() : await FixtureBuild.ReleaseAsync(runtime, ends.Token);
            await using var target = await FixtureTarget.StartAsync(command, ends.Token, [scenario.Name, .. scenario.More, "--seconds", "10", "--processors", "4"]);
            await using var watch = await ThreadPoolWatch.AttachAsync(
                target.Pid, new WatchOptions { Depth = CaptureDepth.Stacks, TemporaryFolder = own }, ends.Token);
            var run = await ObservedRun.OfAsync(target, watch, ends.Token);
            return (run, Directory.GetFileSystemEntries(own));
        }
        finally
        {
            room.Release();
        }
    }
}
