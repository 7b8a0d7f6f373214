using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Deep;

/// <summary>Items can be asked for in the middle of a watch, as a key on the screen does.</summary>
public sealed class OnDemandItemWatchTests
{
    const int LimitMs = 90_000;

    /// <summary>A second's worth of the load below.</summary>
    const int Enough = 200;

    [Fact(Timeout = LimitMs)]
    public async Task From_the_moment_on_at_which_somebody_asks_items_are_measured_and_the_first_session_goes_on()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "steady", "--seconds", "20");
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, cancel);
        await target.BeginAsync();
        await LiveRun.UntilAsync(() => watch.Report().Timeline.CounterSamples.Length >= 3, cancel);
        Assert.Null(watch.Report().QueueDelay);
        Assert.Equal(CaptureDepth.Basic, watch.Report().Depth);

        watch.Switches.Items!.Ask();
        await LiveRun.UntilAsync(() => watch.Report().QueueDelay?.Count >= Enough, cancel);

        var report = watch.Report();
        Assert.True(report.Depth.HasFlag(CaptureDepth.Items));
        Assert.Null(watch.Switches.Items.Remark);
        var before = report.Timeline.CounterSamples.Length;
        await LiveRun.UntilAsync(() => watch.Report().Timeline.CounterSamples.Length >= before + 2, cancel);
        await watch.StopAsync(cancel);
        Assert.True(watch.Report().QueueDelay!.Count >= Enough);
    }
}
