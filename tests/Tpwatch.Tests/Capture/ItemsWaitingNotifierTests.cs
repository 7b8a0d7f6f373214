using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Capture;

public sealed class ItemsWaitingNotifierTests
{
    static readonly EventTime Now = new(1);

    readonly List<bool> told = [];

    [Theory]
    [InlineData(0L, false)]
    [InlineData(3L, true)]
    public void A_counter_sample_tells_whether_items_wait(long queueLength, bool wait)
    {
        Alert().On(new CountersRead(Now, 1000, 2, queueLength, 5, default));

        Assert.Equal([wait], told);
    }

    [Fact]
    public void A_sample_without_the_queue_tells_nothing()
    {
        Alert().On(new CountersRead(Now, 1000, 2, null, 5, default));

        Assert.Empty(told);
    }

    [Theory]
    [InlineData(AdjustmentReason.Starvation, true)]
    [InlineData(AdjustmentReason.CooperativeBlocking, true)]
    [InlineData(AdjustmentReason.ClimbingMove, false)]
    public void A_thread_that_the_gate_adds_tells_it_before_the_next_sample(AdjustmentReason reason, bool tells)
    {
        Alert().On(new TargetThreadsChanged(Now, 1, 5, reason));

        Assert.Equal(tells ? [true] : [], told);
    }

    ItemsWaitingNotifier Alert() => new(told.Add);
}
