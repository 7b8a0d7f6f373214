using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Timeline;

public sealed class HindranceTrackerTests
{
    readonly HindranceTracker tracker = new();

    [Fact]
    public void Short_suspensions_are_summed_and_long_ones_kept()
    {
        tracker.Take(new ThreadsSuspended(At(100), 2));
        tracker.Take(new ThreadsSuspended(At(500), 80));

        var one = Assert.Single(tracker.Snapshot());
        Assert.Equal(new Hindrance(new(At(420), At(500)), HindranceKind.Suspension, 80), one);
        Assert.Equal(new HindranceTotal(HindranceKind.Suspension, 2, 82, 80), Assert.Single(tracker.Totals()));
    }

    [Fact]
    public void A_stop_is_one_stretch_however_often_it_was_looked_at()
    {
        foreach (var until in new[] { 1000, 2000, 3000 })
        {
            tracker.Take(new ProcessReading(
                At(until), 1000, Stopped: until < 3000)
            { StoppedSince = At(400), StoppedUntil = At(Math.Min(until, 2900)) });
        }

        Assert.Equal(new Hindrance(new(At(400), At(2900)), HindranceKind.Stopped, 2500), Assert.Single(tracker.Snapshot()));
        Assert.Equal(new HindranceTotal(HindranceKind.Stopped, 1, 2500, 2500), Assert.Single(tracker.Totals()));
    }

    [Fact]
    public void Two_stops_are_two()
    {
        tracker.Take(Stopped(1000, 400, 900));
        tracker.Take(new ProcessReading(At(2000), 1000, Stopped: false));
        tracker.Take(Stopped(3000, 2400, 2900));

        Assert.Equal([500.0, 500.0], tracker.Snapshot().Select(h => h.Ms));
    }

    [Fact]
    public void Sums_of_a_second_lie_somewhere_in_it_and_count_as_far_as_they_can()
    {
        tracker.Take(new ProcessReading(At(1000), 1000, Stopped: false) { ThrottledMs = 300, WaitMs = 12 });

        Assert.Equal(HindranceKind.Throttled, Assert.Single(tracker.Snapshot()).Kind);
        Assert.Equal(300, tracker.MsWithin(new(At(0), At(1000)), HindranceKind.Throttled));
        Assert.Equal(100, tracker.MsWithin(new(At(900), At(1000)), HindranceKind.Throttled));
        Assert.Equal(0, tracker.MsWithin(new(At(0), At(1000)), HindranceKind.Stopped));
        Assert.Equal(12, tracker.Totals().Single(t => t.Kind == HindranceKind.ProcessorWait).Ms);
    }

    [Fact]
    public void They_lie_in_order_of_their_ends_whoever_tells_of_them_first()
    {
        tracker.Take(Stopped(1000, 400, 900));
        tracker.Take(new ThreadsSuspended(At(2500), 80));
        tracker.Take(new ProcessReading(At(2000), 1000, Stopped: false) { ThrottledMs = 300 });
        tracker.Take(Stopped(4000, 3400, 3900));
        tracker.Take(new ThreadsSuspended(At(4500), 80));
        tracker.Take(Stopped(5000, 3400, 4900));

        Assert.Equal([At(900), At(2000), At(2500), At(4500), At(4900)], tracker.Snapshot().Select(h => h.Span.To));
        Assert.Equal([At(2500), At(4500), At(4900)], tracker.Since(At(2500)).Select(h => h.Span.To));
        Assert.Empty(tracker.Since(At(4901)));
    }

    [Fact]
    public void A_day_of_them_stays_within_bounds_and_is_still_counted()
    {
        for (var i = 1; i <= 5000; i++)
        {
            tracker.Take(new ThreadsSuspended(At(i * 100), 50));
        }

        Assert.InRange(tracker.Snapshot().Length, 3000, 3600);
        Assert.Equal(5000, tracker.Totals().Single().Count);
    }

    static ProcessReading Stopped(double at, double since, double until) =>
        new(At(at), 1000, Stopped: true) { StoppedSince = At(since), StoppedUntil = At(until) };

    static EventTime At(double ms) => new EventTime(7_000_000_000).PlusMs(ms);
}
