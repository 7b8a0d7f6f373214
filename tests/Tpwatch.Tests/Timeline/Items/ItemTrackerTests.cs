using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Items;

namespace Tpwatch.Tests.Timeline.Items;

public sealed class ItemTrackerTests
{
    readonly ItemTracker items = new();

    static EventTime At(double ms) => new EventTime(1_000_000_000).PlusMs(ms);

    [Fact]
    public void An_item_waited_until_it_was_taken_and_ran_until_its_worker_took_the_next_one()
    {
        Queue(0, 7);
        Queue(1, 8);
        Take(10, thread: 1, 7);
        Take(35, thread: 1, 8);
        items.WorkerIdle(At(40), 1);
        var seen = items.Snapshot();
        Assert.Equal([10, 34], seen.Ended.ToArray().Select(i => i.WaitMs));
        Assert.Equal([25.0, 5], seen.Ended.ToArray().Select(i => i.Ended!.Value.MsSince(i.Taken)));
        Assert.Equal((0L, 0, true), (seen.Unmatched, seen.Waiting, seen.KeptAll));
    }

    [Fact]
    public void The_same_id_is_paired_in_order_whether_the_object_comes_again_or_another_shares_its_hash()
    {
        Queue(0, 7);
        Take(5, 1, 7);
        Queue(6, 7);
        Queue(8, 7);
        Take(20, 2, 7);
        Take(30, 3, 7);
        Assert.Equal([5, 14, 22], items.Snapshot().Running.Select(i => i.WaitMs).Order());
    }

    [Fact]
    public void Items_of_which_one_end_was_seen_are_counted_and_not_measured()
    {
        Take(1, 1, 99);
        Queue(2, 5);
        items.QueueEmpty(At(100));
        Queue(101, 6);
        var seen = items.Snapshot();
        Assert.Equal((2L, 1), (seen.Unmatched, seen.Waiting));
        Assert.Equal(At(101), seen.OldestWaiting);
        Assert.Empty(seen.Slices);
    }

    [Fact]
    public void What_waits_ages_to_the_end_of_the_watch_though_no_item_comes()
    {
        Queue(0, 7);
        items.Listened(At(5000));
        Assert.Equal((At(0), At(5000)), (items.Snapshot().Listened.From, items.Snapshot().Listened.To));
    }

    [Fact]
    public void What_was_queued_while_the_counters_were_read_is_not_taken_for_gone()
    {
        Queue(99, 5);
        items.QueueEmpty(At(100));
        Assert.Equal(1, items.Snapshot().Waiting);
    }

    [Fact]
    public void An_item_passed_over_by_an_empty_queue_that_was_read_late_is_paired_when_it_is_taken_before_the_next_one()
    {
        Queue(0, 5);
        Queue(1, 6);
        items.QueueEmpty(At(100));
        var passed = items.Snapshot();
        Assert.Equal((2L, 0), (passed.Unmatched, passed.Waiting));
        Take(120, 1, 5);
        items.QueueEmpty(At(1_100));
        Take(1_120, 2, 6);
        var seen = items.Snapshot();
        Assert.Equal([120], seen.Running.Select(i => i.WaitMs));
        Assert.Equal(2, seen.Unmatched);
    }

    [Fact]
    public void An_object_that_is_queued_again_is_not_taken_for_the_one_that_was_passed_over()
    {
        Queue(0, 5);
        items.QueueEmpty(At(100));
        Queue(110, 5);
        Take(115, 1, 5);
        Assert.Equal([5], items.Snapshot().Running.Select(i => i.WaitMs));
    }

    [Fact]
    public void Loss_forgets_what_waits_and_runs_and_never_measures_across_it()
    {
        Queue(0, 1);
        Queue(0, 2);
        Take(1, 1, 1);
        items.Lost(At(2));
        Take(50, 1, 2);
        Queue(60, 3);
        Take(61, 1, 3);
        var seen = items.Snapshot();
        Assert.Equal(1, seen.Slices.Sum(s => s.Delay.Count) - 1);
        Assert.Equal((2L, 1L, false), (seen.Unmatched, seen.EndUnseen, seen.KeptAll));
        Assert.Equal(1_000_000, seen.Slices.Max(s => s.Delay.MaxNs));
    }

    [Fact]
    public void The_first_item_of_a_worker_just_born_says_so()
    {
        Queue(0, 1);
        Queue(0, 2);
        items.WorkerBorn(At(500), 4);
        Take(501, 4, 1);
        Take(520, 4, 2);
        Assert.Equal([(1L, true), (2L, false)], items.Snapshot().Slowest.OrderBy(i => i.Id).Select(i => (i.Id, i.ByNewWorker)));
    }

    [Fact]
    public void A_day_takes_as_many_slices_as_ten_minutes_and_loses_no_count()
    {
        for (var second = 0; second < 86_400; second += 3)
        {
            Queue(second * 1000.0, second);
            Take(second * 1000.0 + 2, 1, second);
        }

        items.WorkerIdle(At(86_400_000), 1);
        var seen = items.Snapshot();
        Assert.InRange(seen.Slices.Length, 100, 602);
        Assert.Equal(28_800, seen.Slices.Sum(s => s.Delay.Count));
        Assert.Equal(28_800, seen.Slices.Sum(s => s.Run.Count));
        Assert.Equal(20, seen.Slowest.Length);
    }

    void Queue(double ms, long id) => items.Queued(new ItemQueued(At(ms), 0, id));

    void Take(double ms, int thread, long id) => items.Taken(new ItemTaken(At(ms), thread, id));
}
