using System.Collections.Immutable;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using Tpwatch.Core;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Targets;

namespace Tpwatch.LiveTests.Attach;

public sealed class LiveSessionTests
{
    static readonly SessionPlan Plan = new(
        [new PlannedProvider("Microsoft-Windows-DotNETRuntime", EventLevel.Informational, 0x10000),
         new PlannedProvider("System.Runtime", EventLevel.Informational, 1,
             ImmutableSortedDictionary<string, string>.Empty.Add("EventCounterIntervalSec", "1"))]);

    /// <summary>For what comes within a second or two where the machine has nothing else to do.</summary>
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact(Timeout = 60_000)]
    public async Task A_session_stopped_by_us_is_drained_to_its_end_mark_and_can_be_stopped_again()
    {
        await using var target = await LiveTarget.SteadyAsync();
        await using var session = await OpenAsync(target);
        DrainingReader reader = new(session);
        await Eventually(() => reader.Bytes > 0, Patience);
        await Task.WhenAll(session.StopAsync(Cancel), session.StopAsync(Cancel));
        await session.StopAsync(Cancel);
        Assert.Equal(SessionEnd.StoppedByUs, await reader.EndedAsync());
        Assert.Equal((target.Pid, "Tpwatch.Fixtures", 10), (session.Target.Pid, session.Target.Name, session.Target.RuntimeMajor));
        Assert.True(session.WithoutStacks);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_session_torn_down_without_a_stop_leaves_the_target_ready_for_the_next()
    {
        await using var target = await LiveTarget.SteadyAsync();
        var first = await OpenAsync(target);
        DrainingReader reader = new(first);
        await first.DisposeAsync();
        await first.DisposeAsync();
        Assert.Equal(SessionEnd.StreamBroken, await reader.EndedAsync());
        await using var second = await OpenAsync(target);
        DrainingReader next = new(second);
        await Eventually(() => next.Bytes > 0, Patience);
    }

    [Fact(Timeout = 60_000)]
    public async Task Letting_go_of_a_target_that_is_stopped_takes_no_longer_than_its_limit()
    {
        await using var target = await LiveTarget.SteadyAsync();
        var session = await OpenAsync(target);
        await target.SignalAsync("STOP");
        await session.DisposeAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(10), Cancel);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_target_that_is_killed_was_killed_and_stopping_it_does_no_harm()
    {
        await using var target = await LiveTarget.SteadyAsync();
        await using var session = await OpenAsync(target);
        DrainingReader reader = new(session);
        await target.SignalAsync("KILL");
        Assert.Equal(SessionEnd.TargetKilled, await reader.EndedAsync());
        await session.StopAsync(Cancel);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_target_that_returns_has_exited()
    {
        await using var target = await LiveTarget.SteadyAsync(seconds: 10);
        await using var session = await OpenAsync(target);
        Assert.Equal(SessionEnd.TargetExited, await new DrainingReader(session).EndedAsync());
    }

    [Fact(Timeout = 60_000)]
    public async Task A_stopped_target_is_refused_within_the_limit_with_its_state_and_can_be_watched_when_it_continues()
    {
        await using var target = await LiveTarget.SteadyAsync();
        await target.SignalAsync("STOP");
        // The kernel stops it when it next runs, which on a busy machine may be later than the signal.
        await Eventually(() => IsStopped(target.Pid), TimeSpan.FromSeconds(20));
        var watch = Stopwatch.StartNew();
        var e = await Assert.ThrowsAsync<UserErrorException>(() => OpenAsync(target));
        // Who sees its state need not wait for an answer as long as for one that is only slow.
        Assert.InRange(watch.Elapsed, TimeSpan.Zero, TimeSpan.FromSeconds(9));
        Assert.Equal(
            (ExitCode.NoSession, $"Process {target.Pid} (Tpwatch.Fixtures) does not answer: it is stopped (state T).",
                $"Continue the process (kill -CONT {target.Pid}), then attach again."),
            (e.ExitCode, e.Message, e.Hint));
        await target.SignalAsync("CONT");
        await using var session = await OpenAsync(target);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_target_that_is_stopped_during_the_session_cannot_hold_us_up()
    {
        await using var target = await LiveTarget.SteadyAsync();
        await using var session = await OpenAsync(target);
        DrainingReader reader = new(session);
        await target.SignalAsync("STOP");
        await session.StopAsync(Cancel);
        Assert.Equal(SessionEnd.StoppedByUs, await reader.EndedAsync());
        await Eventually(() => IsStopped(target.Pid), TimeSpan.FromSeconds(20));
    }

    [Fact(Timeout = 60_000)]
    public async Task A_target_that_ends_while_we_attach_is_named_as_ended()
    {
        await using var live = await LiveTarget.SteadyAsync();
        var target = TargetFinder.ByPid(live.Pid);
        await live.SignalAsync("KILL");
        await Eventually(() => !SeenProcesses.IsAlive(live.Pid), Patience);
        var e = await Assert.ThrowsAsync<UserErrorException>(() => LiveSession.OpenAsync(target, _ => Plan, Cancel));
        Assert.Equal($"Process {live.Pid} (Tpwatch.Fixtures) ended while tpwatch was attaching.", e.Message);
    }

    [Fact(Timeout = 60_000)]
    public async Task The_first_clock_reading_comes_by_itself_and_the_regime_follows()
    {
        await using var target = await LiveTarget.SteadyAsync();
        await using var session = await OpenAsync(target);
        DrainingReader reader = new(session);
        EventTime ever = new(long.MaxValue);
        ClockReading reading = default;
        await Eventually(() => session.TryTakeClockReading(ever, out reading), Patience);
        Assert.InRange(reading.GridMs, 0, reading.StepMs);
        Assert.InRange(reading.EdgeMs, 0, reading.StepMs);
        await Eventually(() => session.TryTakeClockReading(ever, out reading) && reading.Regime != ClockRegime.Unknown, Patience);
        await session.StopAsync(Cancel);
        await reader.EndedAsync();
    }

    static bool IsStopped(int pid) =>
        File.ReadAllText($"/proc/{pid}/stat") is var stat && stat[(stat.LastIndexOf(')') + 2)..].StartsWith('T');

    static Task<LiveSession> OpenAsync(LiveTarget target) => LiveSession.OpenAsync(TargetFinder.ByPid(target.Pid), _ => Plan, Cancel);

    static async Task Eventually(Func<bool> condition, TimeSpan limit)
    {
        var watch = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(watch.Elapsed < limit, $"Not within {limit.TotalSeconds} s.");
            await Task.Delay(10, Cancel);
        }
    }
}
