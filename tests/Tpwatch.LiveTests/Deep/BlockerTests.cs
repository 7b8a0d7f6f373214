using Tpwatch.Explain;
using Tpwatch.LiveTests.Scenarios;
using Tpwatch.LiveTests.Targets;

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
        var (_, type, kind, _) = BlockerRuns.Scenario(scenario);
        var (run, left) = await runs.OfAsync(runtime, scenario).WaitAsync(TestContext.Current.CancellationToken);
        var blockers = run.Report.Blockers!.Value;
        TestContext.Current.TestOutputHelper!.WriteLine(string.Join('\n', blockers.Select(b => $"{b.Share:0.00} {b.Threads} {b.Kind} {b.Call} in {b.Frame}; {b.Owner}; {string.Join(' ', b.OverTime.Select(p => p.Threads))}")));
        TestContext.Current.TestOutputHelper!.WriteLine(string.Join('\n', blockers[0].Stack));
        Assert.StartsWith($"Tpwatch.Fixtures.Scenarios.{type}.", blockers[0].Frame, StringComparison.Ordinal);
        Assert.InRange(blockers[0].Share, 0.9, 1);
        Assert.Equal(kind, blockers[0].Kind);
        Assert.Empty(left);
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
}
