using System.Collections.Immutable;
using Tpwatch.Explain;
using Tpwatch.LiveTests.Scenarios;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Deep;

/// <summary>Bursts of stacks on every scenario that blocks, with optimised code that was inlined as it is in life.</summary>
public sealed class BlockerTests
{
    static readonly ImmutableArray<(string Name, string Type, BlockKind Kind, string[] More)> Blocking =
    [
        ("pool-burst", "PoolBurst", BlockKind.Sleep, ["--items", "60"]),
        ("semaphore", "Semaphore", BlockKind.Wait, []),
        ("lock-convoy", "LockConvoy", BlockKind.Lock, []),
        ("blocking-socket", "BlockingSocket", BlockKind.Io, []),
        ("wait-all", "WaitAll", BlockKind.Wait, []),
        ("sync-over-async", "SyncOverAsync", BlockKind.Task, []),
        ("deadlock", "Deadlock", BlockKind.Wait, ["--max", "12"]),
    ];

    public static TheoryData<TargetRuntime, string> Entries()
    {
        var data = new TheoryData<TargetRuntime, string>();
        foreach (var runtime in new[] { TargetRuntime.Net10, TargetRuntime.Net9, TargetRuntime.Net8 })
        {
            foreach (var scenario in Blocking)
            {
                data.Add(runtime, scenario.Name);
            }
        }

        return data;
    }

    [Theory(Timeout = 6 * 60 * 1000)]
    [MemberData(nameof(Entries))]
    public async Task The_first_blocker_is_the_method_that_blocks_and_its_kind(TargetRuntime runtime, string scenario)
    {
        var (_, type, kind, more) = Blocking.Single(b => b.Name == scenario);
        var left = Left();
        var run = await RunAsync(runtime, [scenario, .. more, "--seconds", "10"]);
        var blockers = run.Report.Blockers!.Value;
        TestContext.Current.TestOutputHelper!.WriteLine(string.Join('\n', blockers.Select(b => $"{b.Share:0.00} {b.Threads} {b.Kind} {b.Call} in {b.Frame}; {b.Owner}; {string.Join(' ', b.OverTime.Select(p => p.Threads))}")));
        TestContext.Current.TestOutputHelper!.WriteLine(string.Join('\n', blockers[0].Stack));
        Assert.StartsWith($"Tpwatch.Fixtures.Scenarios.{type}.", blockers[0].Frame, StringComparison.Ordinal);
        Assert.InRange(blockers[0].Share, 0.9, 1);
        Assert.Equal(kind, blockers[0].Kind);
        Assert.Empty(Left().Except(left));
        if (scenario == "deadlock")
        {
            Assert.Equal(WaitsFor.QueuedItems, run.Report.Bursts!.WaitsFor);
        }
        else if (scenario is "semaphore" or "blocking-socket" or "lock-convoy")
        {
            Assert.Equal(WaitsFor.Outside, run.Report.Bursts!.WaitsFor);
        }

        if (scenario == "lock-convoy")
        {
            Assert.Contains("Thread.Sleep in Tpwatch.Fixtures.Scenarios.LockConvoy", blockers[0].Owner, StringComparison.Ordinal);
        }
    }

    static async Task<ObservedRun> RunAsync(TargetRuntime runtime, string[] arguments)
    {
        var command = await FixtureBuild.ReleaseAsync(runtime, TestContext.Current.CancellationToken);
        await using var target = await FixtureTarget.StartAsync(command, TestContext.Current.CancellationToken, [.. arguments, "--processors", "4"]);
        await using var watch = await ThreadPoolWatch.AttachAsync(
            target.Pid, new WatchOptions { Depth = CaptureDepth.Stacks }, TestContext.Current.CancellationToken);
        return await ObservedRun.OfAsync(target, watch, TestContext.Current.CancellationToken);
    }

    internal static ImmutableHashSet<string> Left() => [.. Directory.GetDirectories(Path.GetTempPath(), "tpwatch-burst-*")];
}
