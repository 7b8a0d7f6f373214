using Tpwatch.Core;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Timeline;

public sealed class WorkerStateChangeTests
{
    readonly WorkerStateTracker moments = new();

    [Fact]
    public void Starts_and_ends_are_all_kept_and_sleeps_only_far_apart()
    {
        moments.Started(At(0), 1);
        moments.Slept(At(10), 1);
        moments.Slept(At(50), 1);
        moments.Slept(At(50), 2);
        moments.Slept(At(110), 1);
        moments.Ended(At(120), 1);

        Assert.Equal(
            [
                new(At(0), 1, WorkerAction.Started), new(At(10), 1, WorkerAction.Slept), new(At(50), 2, WorkerAction.Slept),
                new(At(110), 1, WorkerAction.Slept), new(At(120), 1, WorkerAction.Ended),
            ],
            moments.Snapshot());
    }

    [Fact]
    public void A_day_takes_no_more_than_two_thousand()
    {
        for (var i = 0; i < 10_000; i++)
        {
            moments.Started(At(i), i);
        }

        var kept = moments.Snapshot();
        Assert.InRange(kept.Length, 1_500, 2_048);
        Assert.Equal(9_999, kept[^1].ThreadId);
    }

    [Fact]
    public void A_snapshot_is_not_made_anew_while_nothing_comes()
    {
        moments.Started(At(0), 1);
        var first = moments.Snapshot();
        Assert.True(first == moments.Snapshot());
        moments.Slept(At(1), 1);
        Assert.Single(first);
        Assert.Equal(2, moments.Snapshot().Length);
    }

    static EventTime At(double ms) => new EventTime(0).PlusMs(ms);
}
