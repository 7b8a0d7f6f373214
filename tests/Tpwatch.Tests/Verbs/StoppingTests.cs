namespace Tpwatch.Tests.Verbs;

/// <summary>How a watch ends: its time is over, or somebody wants to leave.</summary>
public sealed class StoppingTests
{
    [Fact]
    public async Task A_duration_ends_the_watch_in_order()
    {
        var engine = new FakeEngine { GoesOn = true };
        var run = await CommandRun.Of(engine, "-p", "41822", "--duration", "2s");
        Assert.Equal(0, run.Code);
        Assert.True(engine.Watch!.Stopped);
        Assert.True(engine.Watch.Disposed);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Stacks_that_are_being_taken_when_the_time_is_over_are_waited_for_unless_somebody_leaves(bool leaves)
    {
        using var stop = new CancellationTokenSource();
        var (stacks, awaited) = (new TaskCompletionSource(), new TaskCompletionSource());
        var engine = new FakeEngine { GoesOn = true, Stacks = Awaited };
        var running = CommandRun.Of(
            engine, c => c with { Stop = stop.Token }, "report", "-p", "41822", "--duration", "2s", "--depth", "stacks");
        await awaited.Task.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
        Assert.False(engine.Watch!.Stopped);
        if (leaves)
        {
            await stop.CancelAsync();
        }
        else
        {
            stacks.SetResult();
        }

        Assert.Equal(0, (await running.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken)).Code);
        Assert.True(engine.Watch.Stopped);

        Task Awaited()
        {
            awaited.TrySetResult();
            return stacks.Task;
        }
    }

    [Fact]
    public async Task A_stop_from_outside_ends_the_watch_in_order_with_a_summary()
    {
        using var stop = new CancellationTokenSource();
        var engine = new FakeEngine { GoesOn = true };
        var running = CommandRun.Of(engine, c => c with { Stop = stop.Token }, "-p", "41822");
        await stop.CancelAsync();
        var run = await running.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
        Assert.Equal(0, run.Code);
        Assert.True(engine.Watch!.Stopped);
        Assert.Contains("STARVED", run.Out, StringComparison.Ordinal);
    }
}
