using Tpwatch.Reports;

namespace Tpwatch.Tests.Stored;

/// <summary>
/// What starvation does to those who depend on the pool without queueing an item: callers of a web server, timers, sockets.
/// </summary>
public sealed class CallersAndCallbacksTests
{
    [Fact]
    public async Task Requests_take_longer_by_a_blocked_worker_than_by_an_awaited_task()
    {
        var (blocked, awaited) = (await StoredRuns.OfAsync("web-sync-over-async"), await StoredRuns.OfAsync("web-async"));
        Assert.True(Median(blocked) > Median(awaited), $"{Median(blocked)} ms blocked, {Median(awaited)} ms awaited");
        Assert.True(blocked.Report.MaxWorkers > awaited.Report.MaxWorkers);
        Assert.True(blocked.Report.Adjustments[AdjustmentReason.CooperativeBlocking] > 0);
    }

    [Fact]
    public async Task Callbacks_are_late_by_what_the_starvation_lasts_and_never_by_more()
    {
        var run = await StoredRuns.OfAsync("late-callbacks");
        var late = new[] { "timer lateness", "registered wait lateness", "socket continuation lateness" }
            .Select(kind => run.Truth.Noted(kind)).ToArray();
        Assert.All(late, kind => Assert.NotEmpty(kind));
        // Sockets wait behind every item that waits; a registered wait goes before them.
        Assert.True(late[2].Max() >= late[1].Max());
        Assert.True(run.Report.StarvedMs > 0);
    }

    static double Median(ObservedRun run)
    {
        var times = run.Truth.Items.Where(i => i.Ended is not null).Select(i => run.Truth.Ms(i.Enqueued, i.Ended!.Value)).Order().ToArray();
        return times[times.Length / 2];
    }
}
