using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Deep;

/// <summary>What the deep probes saw is in the recording.</summary>
public sealed class RecordedDeepTests
{
    [Fact(Timeout = 3 * 60 * 1000)]
    public async Task A_replay_names_the_same_own_method_as_depth_auto_did()
    {
        var cancel = TestContext.Current.CancellationToken;
        using var folder = new TempFolder();
        var file = folder["run.nettrace"];
        await using var target = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, cancel, "pool-burst", "--items", "40", "--processors", "4");
        var run = await LiveRun.LateAsync(target, new WatchOptions { Depth = CaptureDepth.Auto, RecordTo = file }, cancel);
        Assert.Equal(["run.nettrace", "run.nettrace.json"],
            new DirectoryInfo(folder.Path).GetFiles().Select(f => f.Name).Order(StringComparer.Ordinal));
        Assert.Contains("\"Tpwatch.Fixtures\"", await File.ReadAllTextAsync(file + ".json", cancel), StringComparison.Ordinal);
        await using var replay = ThreadPoolWatch.Replay(file, new WatchOptions());
        await replay.Completion.WaitAsync(cancel);
        var again = replay.Report();
        Assert.Contains("PoolBurst.", again.Blockers!.Value[0].Frame, StringComparison.Ordinal);
        Assert.Equal(run.Report.Blockers!.Value.Select(b => (b.Chain, b.Share)), again.Blockers.Value.Select(b => (b.Chain, b.Share)));
        Assert.Equal((run.Report.Depth, run.Report.Headline), (again.Depth, again.Headline));
    }

    [Fact(Timeout = 3 * 60 * 1000)]
    public async Task A_replay_has_the_same_items_and_the_same_blockers()
    {
        var cancel = TestContext.Current.CancellationToken;
        using var folder = new TempFolder();
        var file = folder["run.nettrace"];
        // Met in its middle: a dozen items are known by one end only, and dozens by both from then on, however late it is met.
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel,
            "trickle", "--backlog", "12", "--every", "100", "--arrival", "90", "--seconds", "16", "--processors", "4");
        var run = await LiveRun.LateAsync(
            target, new WatchOptions { Depth = CaptureDepth.Items | CaptureDepth.Stacks, RecordTo = file }, cancel);
        Assert.Equal(["run.deep.nettrace", "run.nettrace", "run.nettrace.json"],
            new DirectoryInfo(folder.Path).GetFiles().Select(f => f.Name).Order(StringComparer.Ordinal));
        await using var replay = ThreadPoolWatch.Replay(file, new WatchOptions());
        await replay.Completion.WaitAsync(cancel);
        var again = replay.Report();
        Assert.True(again.QueueDelay is { Count: > 0, Unmatched: > 0 });
        Assert.Equal(run.Report.Depth, again.Depth);
        Assert.Equal(run.Report.QueueDelay! with { Buckets = [] }, again.QueueDelay! with { Buckets = [] });
        Assert.Equal(run.Report.RunTime! with { Buckets = [] }, again.RunTime! with { Buckets = [] });
        Assert.NotEmpty(again.Blockers!.Value);
        Assert.Equal(
            run.Report.Blockers!.Value.Select(b => (b.Frame, b.Share, b.Kind, b.Call, b.Threads)),
            again.Blockers.Value.Select(b => (b.Frame, b.Share, b.Kind, b.Call, b.Threads)));
    }
}
