using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Verbs;

public sealed class SegmentedWatchTests
{
    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_target_that_is_gone_after_fg_leaves_what_was_seen()
    {
        var first = new FakeWatch([SampleReports.Starved()], goesOn: true);
        await using var watch = new SegmentedWatch(
            first, _ => throw new UserErrorException("there is no process 41822", "look at ps", ExitCode.NoSession));
        await watch.SuspendAsync(Cancel);
        await watch.ResumeAsync(Cancel);
        Assert.Equal(SessionEnd.StoppedByUs, await watch.Completion);
        Assert.Equal("there is no process 41822", watch.ResumeFailure);
        Assert.Equal(26, watch.Report().Tally.Total);
        Assert.False(first.Disposed);
    }

    [Fact]
    public async Task Who_follows_goes_on_with_the_next_process_without_being_asked()
    {
        var ended = SampleReports.Starved() with { End = SessionEnd.TargetExited };
        var second = new FakeWatch([SampleReports.SilentlyStarved()], goesOn: true);
        var next = new TaskCompletionSource<IWatch>();
        await using var watch = new SegmentedWatch(
            new FakeWatch([ended], goesOn: false), _ => throw new InvalidOperationException(), _ => next.Task)
        { Follows = true };

        Assert.Same(ended, watch.Report());
        Assert.Equal("WAITING", watch.Awaits?.Word);
        Assert.False(watch.Completion.IsCompleted);
        next.SetResult(second);
        while (watch.Awaits is not null)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(1), Cancel);
        }

        Assert.NotSame(ended, watch.Report());
    }

    [Theory]
    [InlineData(41823, 1UL)]
    [InlineData(41822, 2UL)]
    public async Task Fg_attaches_to_the_next_process_even_if_it_has_the_id_of_the_ended_one(int pid, ulong started)
    {
        var engine = new FakeEngine();
        engine.Processes[0] = FakeEngine.OrderApi with { StartTime = 1 };
        var next = FakeEngine.OrderApi with { Pid = pid, StartTime = started };
        await CommandRun.Of(engine, c => c with { Terminal = new(IsInteractive: true, Width: 80), Screen = ShowAsync }, "-n", "OrderApi");
        Assert.Equal([FakeEngine.OrderApi with { StartTime = 1 }, next, next], engine.Attached);

        async Task ShowAsync(IWatch watch, ScreenAppearance request, CancellationToken stop)
        {
            (engine.Processes[0], engine.GoesOn) = (next, true);
            watch.Again();
            for (var i = 0; i < 2000 && watch.Awaits is not null; i++)
            {
                await Task.Delay(5, Cancel);
            }

            Assert.Null(watch.Awaits);
            await watch.SuspendAsync(Cancel);
            await watch.ResumeAsync(Cancel);
            await watch.StopAsync(Cancel);
        }
    }

    [Fact]
    public async Task Somebody_who_quits_while_a_session_is_being_started_leaves_none_behind()
    {
        var second = new FakeWatch([SampleReports.Starved()], goesOn: true);
        var attached = new TaskCompletionSource<IWatch>();
        await using (var watch = new SegmentedWatch(new FakeWatch([SampleReports.Starved()], goesOn: true), _ => attached.Task))
        {
            await watch.SuspendAsync(Cancel);
            var resuming = watch.ResumeAsync(Cancel);
            Assert.False(watch.Completion.IsCompleted);
            var stopping = watch.StopAsync(Cancel);
            Assert.False(stopping.IsCompleted);
            attached.SetResult(second);
            await Task.WhenAll(resuming, stopping).WaitAsync(TimeSpan.FromSeconds(10), Cancel);
            Assert.True(second.Stopped);
        }

        Assert.True(second.Disposed);
    }
}
