using System.Diagnostics;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Attach;

/// <summary>However a session ends, what was seen is told, and the target is free for the next.</summary>
public sealed class EndOfSessionTests
{
    const int Processors = 8;

    static readonly string[] Starving = ["pool-burst", "--processors", "8", "--items", "60", "--hold", "60000", "--seconds", "60"];

    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(20);

    /// <summary>A tool that starts on a machine without time.</summary>
    static readonly TimeSpan Attached = TimeSpan.FromSeconds(25);

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact(Timeout = 120_000)]
    public async Task A_target_that_is_killed_while_it_starves_is_reported_as_killed_with_what_was_seen()
    {
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, Cancel, Starving);
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, Cancel);
        await LiveRun.FirstHeartbeatAsync(watch, Cancel);
        var alone = SessionsInTarget.Count(target.Pid);
        var tool = ToolRun.Of("report", "--pid", $"{target.Pid}", "--duration", "20s");
        Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, alone + 1, Attached), "the tool did not attach");
        await target.BeginAsync();
        await InjectionsAsync(watch, 3);
        // A verdict takes a counter sample after an injection; the next one says that the tool's session has had it too.
        await LiveRun.UntilAsync(() => watch.Report().Verdict == Verdict.Starved, Cancel);
        await LiveRun.HeartbeatsAsync(watch, watch.Report().Timeline.CounterSamples.Length + 2, Cancel);
        using (var process = Process.GetProcessById(target.Pid))
        {
            process.Kill();
        }

        Assert.Equal(SessionEnd.TargetKilled, await watch.Completion.WaitAsync(Cancel));
        var report = watch.Report();
        Assert.Equal((SessionEnd.TargetKilled, Verdict.Starved), (report.End, report.Verdict));
        Assert.True(Injections(report) >= 3);

        var told = await tool;
        Assert.True(told.Code == 0, told.Error);
        Assert.Contains("STARVED", told.Out, StringComparison.Ordinal);
        Assert.Contains("killed", told.Out, StringComparison.Ordinal);
    }

    [Fact(Timeout = 120_000)]
    public async Task Stopped_while_it_starves_it_ends_in_order_and_the_next_can_attach_at_once()
    {
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, Cancel, Starving);
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, Cancel);
        await target.BeginAsync();
        await InjectionsAsync(watch, 2);

        var clock = Stopwatch.StartNew();
        await watch.StopAsync(Cancel);
        Assert.Equal(SessionEnd.StoppedByUs, await watch.Completion.WaitAsync(Cancel));
        Assert.Equal(SessionEnd.StoppedByUs, watch.Report().End);
        TestContext.Current.TestOutputHelper?.WriteLine($"stopped after {clock.ElapsedMilliseconds} ms");

        await using var next = await ThreadPoolWatch.AttachAsync(target.Pid, Cancel);
        TestContext.Current.TestOutputHelper?.WriteLine($"attached again after {clock.ElapsedMilliseconds} ms");
        await InjectionsAsync(next, 2);
        // A wait of a second is proven after two heartbeats; the target goes on starving.
        while (next.Report().Verdict != Verdict.Starved)
        {
            await Task.Delay(LookAgain, Cancel);
        }
    }

    [Fact(Timeout = 120_000)]
    public async Task Two_watches_at_once_see_the_same_injections()
    {
        await using var target = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, Cancel, "pool-burst", "--processors", "8", "--items", "30", "--hold", "60000", "--seconds", "10");
        await using var one = await ThreadPoolWatch.AttachAsync(target.Pid, Cancel);
        await using var other = await ThreadPoolWatch.AttachAsync(target.Pid, Cancel);
        await LiveRun.FirstHeartbeatAsync(one, Cancel);
        await LiveRun.FirstHeartbeatAsync(other, Cancel);
        await target.BeginAsync();
        await Task.WhenAll(one.Completion, other.Completion).WaitAsync(Cancel);
        var workers = (await target.TruthAsync(Cancel)).Appearances().Length;

        // Each worker that took an item was added by one; the last ones may not have begun when the fixture looked.
        Assert.True(Injections(one.Report()) >= workers - Processors, $"{Injections(one.Report())} injections and {workers} workers");
        // A process that ends empties its sessions one after the other: what came at its very end may be in one of them alone.
        var (mine, others) = (Steps(one), Steps(other));
        var both = Math.Min(mine.Length, others.Length);
        Assert.Equal(mine[..both], others[..both]);
        Assert.InRange(Math.Max(mine.Length, others.Length), both, both + 1);
    }

    static (AdjustmentReason?, int?, int?)[] Steps(ThreadPoolWatch watch) =>
        [.. watch.Report().InjectionDelays.Where(g => g.Reason is not null)
            .Select(g => (g.Reason, g.TargetThreadsBefore, g.TargetThreadsAfter))];

    static int Injections(PoolReport report) => report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation);

    // The test's own time limit bounds it.
    static async Task InjectionsAsync(ThreadPoolWatch watch, int count)
    {
        while (Injections(watch.Report()) < count)
        {
            Assert.False(watch.Completion.IsCompleted, "the session ended too early");
            await Task.Delay(LookAgain, Cancel);
        }
    }
}
