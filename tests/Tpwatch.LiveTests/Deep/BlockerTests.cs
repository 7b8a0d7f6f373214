using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Deep;

/// <summary>Bursts of stacks on every scenario that blocks, with optimised code that was inlined as it is in life.</summary>
public sealed class BlockerTests(BlockerRuns runs) : IClassFixture<BlockerRuns>
{
    public static TheoryData<TargetRuntime, string> Entries()
    {
        var data = new TheoryData<TargetRuntime, string>();
        foreach (var (runtime, scenario) in BlockerRuns.All)
        {
            data.Add(runtime, scenario.Name);
        }

        return data;
    }

    [Theory(Timeout = 6 * 60 * 1000)]
    [MemberData(nameof(Entries))]
    public async Task The_first_blocker_is_the_method_that_blocks_and_its_kind(TargetRuntime runtime, string scenario)
    {
        var (_, type, kind, _, _) = BlockerRuns.Scenario(scenario);
        var (report, left) = await runs.OfAsync(runtime, scenario);
        var blockers = report.Blockers!.Value;
        Tell(blockers);
        Assert.Contains($"Tpwatch.Fixtures.Scenarios.{type}.", blockers[0].Frame, StringComparison.Ordinal);
        Assert.InRange(blockers[0].Share, 0.9, 1);
        Assert.Equal(kind, blockers[0].Kind);
        Assert.Empty(left);
        if (scenario == "deadlock")
        {
            Assert.Equal(WaitsFor.QueuedItems, report.Bursts!.WaitsFor);
        }
        else if (scenario is "semaphore" or "blocking-socket" or "lock-convoy")
        {
            Assert.Equal(WaitsFor.Outside, report.Bursts!.WaitsFor);
        }

        if (scenario == "lock-convoy")
        {
            // It sleeps while it holds the lock; at the moment of a hand-over it is between two calls, or the next owner is seen where it
            // waited.
            Assert.Matches(@"LockConvoy\.\w+( > (Thread\.Sleep|Monitor\.Enter))?$", blockers[0].Owner);
        }
    }

    [Fact(Timeout = 6 * 60 * 1000)]
    public async Task An_endpoint_that_waits_for_a_task_is_named_below_all_the_frames_of_its_server()
    {
        var (report, left) = await runs.OfAsync(TargetRuntime.Net10, BlockerRuns.Web.Name);
        var blockers = report.Blockers!.Value;
        Tell(blockers);
        Assert.Contains("Tpwatch.Fixtures.Web.Scenarios.WebSyncOverAsync.Block", blockers[0].Frame, StringComparison.Ordinal);
        Assert.Equal(BlockKind.Task, blockers[0].Kind);
        // The server reads sockets on a worker, too.
        Assert.InRange(blockers[0].Share, 0.7, 1);
        Assert.Empty(left);
    }

    [Theory(Timeout = 6 * 60 * 1000)]
    [InlineData(TargetRuntime.Net10)]
    [InlineData(TargetRuntime.Net8)]
    public async Task Two_kinds_of_blocking_are_told_apart_with_the_workers_of_each(TargetRuntime runtime)
    {
        var (report, left) = await runs.OfAsync(runtime, BlockerRuns.Mixed.Name);
        var blockers = report.Blockers!.Value;
        Tell(blockers);
        Assert.All(
            blockers.Take(2), b => Assert.Contains("Tpwatch.Fixtures.Scenarios.", b.Frame, StringComparison.Ordinal));
        Assert.Equal([BlockKind.Task, BlockKind.Lock], blockers.Take(2).Select(b => b.Kind).Order());
        Assert.InRange(blockers.Take(2).Sum(b => b.Share), 0.9, 1);
        // Queued first, the locks have all their workers by the end; whoever came since waits for a task.
        Assert.Equal(8, blockers.Single(b => b.Kind == BlockKind.Lock).Threads);
        Assert.Empty(left);
    }

    static void Tell(IReadOnlyList<Blocker> blockers)
    {
        var output = TestContext.Current.TestOutputHelper!;
        output.WriteLine(string.Join('\n', blockers.Select(b => $"{b.Share:0.00} {b.Threads} {b.Kind} {b.Call} in {b.Frame}; {b.Owner}; "
            + $"{string.Join(' ', b.OverTime.Select(p => p.Threads))}")));
        output.WriteLine(string.Join('\n', blockers[0].Stack));
    }
}
