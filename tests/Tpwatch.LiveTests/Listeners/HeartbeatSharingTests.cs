using Microsoft.Diagnostics.Tracing;
using Tpwatch.Core;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Listeners;

/// <summary>Somebody else's monitoring goes on undisturbed, and ours goes on beside theirs.</summary>
public sealed class HeartbeatSharingTests
{
    const int WindowSeconds = 5;

    // A window may begin or end just beside a collection.
    const int Tolerance = 1;

    /// <summary>So many times as long as asked for would be another interval, on whatever machine.</summary>
    const int Thinned = 4;

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Theory(Timeout = 120_000)]
    [InlineData(TargetRuntime.Net10)]
    public async Task A_listener_that_was_there_first_sees_the_same_before_during_and_after_us(TargetRuntime runtime)
    {
        await using var target = await SteadyAsync(runtime);
        var (listener, session) = await MetricsListener.OpenAsync(target.Pid, 1, Cancel);
        await using (session)
        {
            await LiveRun.UntilAsync(() => listener.Collections.Length > 0, Cancel);
            await OneASecondAsync(listener, "before us");
            await using (var watch = await ThreadPoolWatch.AttachAsync(target.Pid, Cancel))
            {
                await LiveRun.FirstHeartbeatAsync(watch, Cancel);
                await OneASecondAsync(listener, "during us");
                HasTheSame(watch.Report(), listener);
            }

            await OneASecondAsync(listener, "after us");
            Assert.Empty(listener.ErrorsOfOurs);
        }
    }

    [Theory(Timeout = 120_000)]
    [InlineData(TargetRuntime.Net10)]
    public async Task A_listener_that_comes_after_us_sees_the_same_during_and_after_us(TargetRuntime runtime)
    {
        await using var target = await SteadyAsync(runtime);
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, Cancel);
        await LiveRun.FirstHeartbeatAsync(watch, Cancel);
        var (listener, session) = await MetricsListener.OpenAsync(target.Pid, 1, Cancel);
        await using (session)
        {
            await LiveRun.UntilAsync(() => listener.Collections.Length > 0, Cancel);
            await OneASecondAsync(listener, "during us");
            HasTheSame(watch.Report(), listener);
            await watch.StopAsync(Cancel);
            await OneASecondAsync(listener, "after us");
            Assert.Empty(listener.ErrorsOfOurs);
        }
    }

    [Fact(Timeout = 120_000)]
    public async Task When_a_listener_with_another_interval_was_first_values_come_at_its_interval_and_a_remark_says_so()
    {
        await using var target = await SteadyAsync(TargetRuntime.Net10);
        var (listener, session) = await MetricsListener.OpenAsync(target.Pid, 3, Cancel);
        await using (session)
        {
            await LiveRun.UntilAsync(() => listener.Collections.Length > 0, Cancel);
            var before = listener.Collections.Length;
            await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, Cancel);
            await LiveRun.UntilAsync(() => watch.Report().Timeline.CounterSamples.Length >= 4, Cancel);
            var report = watch.Report();

            // Each collection is sent to both, so that none of ours lies between two of theirs.
            Assert.InRange(report.Timeline.CounterSamples.Length, 4, listener.Collections.Length - before + Tolerance);
            Assert.All(report.Timeline.CounterSamples.Skip(1), h => Assert.NotNull(h.Workers));
            Assert.Contains(report.Timeline.Quality.Remarks,
                r => r.Contains("another tool listens already; the process sends counters every 3 s", StringComparison.Ordinal));
            Assert.Empty(listener.ErrorsOfOurs);
        }
    }

    [Fact(Timeout = 120_000)]
    public async Task Without_a_heartbeat_no_meter_is_switched_on_and_starvation_is_still_found_by_its_injections()
    {
        using var folder = new TempFolder();
        var file = folder["run.nettrace"];
        await using var target = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, Cancel, "pool-burst", "--processors", "8", "--items", "20", "--hold", "60000", "--seconds", "8");
        await using var watch = await ThreadPoolWatch.AttachAsync(
            target.Pid, new WatchOptions { CounterSample = null, RecordTo = file }, Cancel);
        await target.BeginAsync();
        await watch.Completion.WaitAsync(Cancel);
        var report = watch.Report();

        Assert.Equal(Verdict.Starved, report.Verdict);
        Assert.Empty(report.Timeline.CounterSamples);
        Assert.Null(report.MaxQueueLength);
        Assert.Contains(report.Undecided, u => u.Id == "TPW003" && u.Missing.Contains("counter samples", StringComparison.Ordinal));
        // The recording is the raw stream: what was not switched on is not in it.
        Assert.Equal((0, report.Adjustments.Values.Sum()), EventsOf(file));
    }

    [Fact(Timeout = 300_000)]
    public async Task On_dotnet_8_the_counters_say_workers_backlog_completions_and_processor_use()
    {
        var run = await LiveRun.OfAsync(TargetRuntime.Net8, Cancel, "trickle", "--processors", "8", "--seconds", "10");

        var samples = run.Report.Timeline.CounterSamples.Skip(1).ToArray();
        // Ten seconds of items, and as long before and after as the machine takes: one in each second of it.
        var seconds = samples[^1].At.MsSince(run.Report.Timeline.CounterSamples[0].At) / 1000;
        Assert.InRange(samples.Length, 8, (int)Math.Round(seconds) + Tolerance);
        Assert.All(
            samples, b =>
                Assert.True(b is { Workers: not null, QueueLength: not null, Completed: not null, Cpu: >= 0 and <= 1 }, b.ToString()));
        Assert.InRange(samples.Max(b => b.QueueLength!.Value), 40, run.Truth.End.Queued);
        Assert.InRange(samples.Sum(b => b.Completed!.Value), run.Truth.End.Completed - 8, run.Truth.End.Completed + 8);
    }

    static async Task<FixtureTarget> SteadyAsync(TargetRuntime runtime)
    {
        var target = await FixtureTarget.StartAsync(runtime, Cancel, "steady", "--seconds", "60");
        await target.BeginAsync();
        return target;
    }

    static async Task OneASecondAsync(MetricsListener listener, string when)
    {
        var before = listener.Collections.Length;
        // A target that hardly runs collects late, and by that alone fewer in a window; never more often than it was asked to.
        await LiveRun.UntilAsync(() => listener.Collections.Length - before > WindowSeconds, Cancel);
        var seen = listener.Collections[before..];
        var seconds = seen[^1].MsSince(seen[0]) / 1000;
        TestContext.Current.TestOutputHelper?.WriteLine($"{when}: {seen.Length} collections in {seconds:0.00} s");
        Assert.InRange(seen.Length - 1, WindowSeconds, (int)Math.Round(seconds) + Tolerance);
        Assert.InRange(seconds, 0, WindowSeconds * Thinned);
    }

    // Each collection is sent to both: ours are as many as theirs, while both listen.
    static void HasTheSame(PoolReport report, MetricsListener listener)
    {
        EventTime[] ours = [.. report.Timeline.CounterSamples.Select(sample => sample.At)];
        var theirs = listener.Collections;
        var (from, to) = (EventTime.Max(ours[0], theirs[0]), EventTime.Min(ours[^1], theirs[^1]));
        int Between(EventTime[] all) => all.Count(at => at >= from && at <= to);
        Assert.InRange(Between(theirs), WindowSeconds - Tolerance, int.MaxValue);
        Assert.InRange(Between(ours), Between(theirs) - Tolerance, Between(theirs) + Tolerance);
        Assert.All(report.Timeline.CounterSamples.Skip(1), h => Assert.NotNull(h.Workers));
        Assert.Empty(report.Timeline.Quality.Remarks);
    }

    static (int Metrics, int Adjustments) EventsOf(string recording)
    {
        var (metrics, adjustments) = (0, 0);
        using var source = new EventPipeEventSource(recording);
        source.Clr.ThreadPoolWorkerThreadAdjustmentAdjustment += _ => adjustments++;
        source.Dynamic.AddCallbackForProviderEvents(
            (provider, _) =>
                provider == MetricsListener.ProviderName ? EventFilterResponse.AcceptEvent : EventFilterResponse.RejectProvider,
            _ => metrics++);
        source.Process();
        return (metrics, adjustments);
    }
}
