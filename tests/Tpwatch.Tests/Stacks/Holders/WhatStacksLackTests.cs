using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Stacks.Holders;

/// <summary>A method that left no frame, and a lock whose owner no event has told: what stacks prove all the same, and no more.</summary>
public sealed class WhatStacksLackTests
{
    const string Call = "System.Private.CoreLib!System.Threading.QueueUserWorkItemCallbackDefaultContext.Execute()";

    internal static IEnumerable<PoolReport> Told => [Report(Sampled.Burst(0, Sampled.At(1, Sampled.Sleep, Call))), PastLock()];

    [Fact]
    public void A_method_whose_last_call_is_a_jump_is_said_to_be_gone_and_no_frame_of_the_framework_stands_for_it()
    {
        const string other = "System.Private.CoreLib!System.Threading.Tasks.Task.InnerInvoke()";
        var report = Report(Sampled.Burst(0, Sampled.At(1, Sampled.Sleep, Call), Sampled.At(2, Sampled.Sleep, Call),
            Sampled.At(3, Sampled.Task, other), Sampled.At(4, Sampled.Sleep)));
        Assert.Equal(
            ["a method without a stack frame > Thread.Sleep", "a method without a stack frame > Task.Wait", "Orders.Load > Thread.Sleep"],
            report.Blockers!.Value.OrderByDescending(b => b.LeftNoFrame).ThenByDescending(b => b.Threads).Select(b => b.Chain));
        var first = report.Blockers.Value[0];
        Assert.Equal((BlockKind.Sleep, true, 0.5), (first.Kind, first.LeftNoFrame, first.Share));
        Assert.Equal("System.Threading.QueueUserWorkItemCallbackDefaultContext.Execute", first.Stack[1]);
    }

    /// <summary>Seen on .NET 10 after half a minute, when the runtime has compiled anew what runs often.</summary>
    [Fact]
    public void A_method_that_the_compiler_has_put_into_the_pools_own_is_gone_as_well()
    {
        const string dispatch = "System.Private.CoreLib!System.Threading.ThreadPoolWorkQueue.DispatchWorkItem()";
        var report = Report(Sampled.Burst(
            0, Sampled.At(1, Sampled.Sleep, dispatch), Sampled.At(2, Sampled.Sleep, dispatch), Sampled.InDispatch(3, Sampled.Semaphore)));
        Assert.Equal(
            [("a method without a stack frame > Thread.Sleep", BlockKind.Sleep, 2),
                ("a method without a stack frame > SemaphoreSlim.Wait", BlockKind.Wait, 1)],
            report.Blockers!.Value.Select(b => (b.Chain, b.Kind, b.Threads)));
    }

    [Theory]
    [InlineData(0.01, 0)]
    [InlineData(0.24, 0)]
    [InlineData(0.26, 1)]
    [InlineData(null, 1)]
    public void Who_computes_keeps_a_processor_busy(double? cpu, int computing)
    {
        var seen = SampleReports.Starved();
        seen = seen with
        {
            Timeline = seen.Timeline with
            {
                Target = seen.Timeline.Target with { Processors = new(2, SettingSource.Event) },
                CounterSamples = [new(SampleReports.At(1000), 1000, Workers: 4, QueueLength: 9, Completed: 3, cpu)],
            },
        };
        var burst = Sampled.Burst(900, Sampled.At(1, [], running: true), Sampled.At(2, Sampled.Sleep, "Shop!Shop.Cart.Load()"));
        var report = Deepened.WithStacks(seen, new([burst], []));
        Assert.Equal(computing, report.Blockers!.Value.Count(b => b.Kind == BlockKind.Cpu));
        Assert.Contains(report.Blockers.Value, b => b.Kind == BlockKind.Sleep);
    }

    [Fact]
    public void An_item_of_the_frameworks_own_is_no_method_that_is_gone()
    {
        var report = Report(Sampled.Burst(
            0, Sampled.At(1, Sampled.Receive, "System.Net.Sockets!System.Net.Sockets.SocketAsyncEngine.Execute()"),
            Sampled.At(2, [.. Sampled.Sleep, "System.Net.Http!System.Net.Http.HttpConnectionPool.Scavenge()"],
                "System.Private.CoreLib!System.Threading.QueueUserWorkItemCallback.Execute()")));
        Assert.All(report.Blockers!.Value, blocker => Assert.False(blocker.LeftNoFrame));
    }

    [Fact]
    public void The_pools_own_work_between_two_items_holds_nothing()
    {
        var report = Report(Sampled.Burst(0, Sampled.At(
            1, ["System.Private.CoreLib!System.Threading.PortableThreadPool+HillClimbing.Update()"],
            "System.Private.CoreLib!System.Threading.PortableThreadPool.AdjustMaxWorkersActive()"),
            Sampled.At(2, [], "System.Private.CoreLib!System.Threading.ThreadPool.NotifyWorkItemComplete()", running: true)));
        Assert.Empty(report.Blockers!.Value);
    }

    [Fact]
    public void Of_those_in_a_locks_method_it_is_told_what_the_one_does_that_does_not_wait()
    {
        var first = PastLock().Blockers!.Value[0];
        Assert.Equal((BlockKind.Lock, "it is in Thread.Sleep", null), (first.Kind, first.PastLock?.ToString(), first.Owner));
    }

    [Fact]
    public void Where_two_do_not_wait_or_none_does_nothing_is_said()
    {
        var sure = Sampled.Burst(0, Sampled.At(1, Sampled.Lock), Sampled.At(2, Sampled.Lock), Sampled.At(3, Sampled.Sleep));
        var two = Sampled.Burst(5000, Sampled.At(1, Sampled.Lock), Sampled.At(2, Sampled.Lock), Sampled.At(3, Sampled.Lock),
            Sampled.At(4, Sampled.Sleep), Sampled.At(5, Sampled.Sleep));
        var none = Sampled.Burst(5000, Sampled.At(1, Sampled.Lock), Sampled.At(2, Sampled.Lock));
        Assert.Null(Report(sure, two).Blockers!.Value[0].PastLock);
        Assert.Null(Report(sure, none).Blockers!.Value[0].PastLock);
        Assert.Null(Report(Sampled.Burst(0, Sampled.At(1, Sampled.Lock), Sampled.At(2, Sampled.Sleep))).Blockers!.Value[0].PastLock);
    }

    static PoolReport PastLock() => Report(
        Sampled.Burst(0, Sampled.At(1, Sampled.Lock), Sampled.At(2, Sampled.Lock), Sampled.At(3, Sampled.Sleep)),
        Sampled.Burst(5000, Sampled.At(1, Sampled.Lock), Sampled.At(2, Sampled.Sleep), Sampled.At(3, Sampled.Lock)));

    static PoolReport Report(params BurstSamples[] bursts) => Deepened.WithStacks(SampleReports.Starved(), new([.. bursts], []));
}
