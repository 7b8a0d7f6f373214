using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Capture;

public sealed class SnapshotExchangeTests
{
    readonly CaptureSnapshot first = Empty();

    [Fact]
    public void Whoever_has_seen_the_newest_waits_for_another()
    {
        var offer = new SnapshotExchange(first);
        var next = offer.OtherThan(first);
        Assert.False(next.IsCompleted);

        offer.Put(Empty());

        Assert.True(next.IsCompletedSuccessfully);
    }

    [Fact]
    public void Whoever_has_seen_none_or_an_older_one_does_not_wait()
    {
        var offer = new SnapshotExchange(first);
        offer.Put(Empty());

        Assert.True(offer.OtherThan(first).IsCompleted);
        Assert.True(offer.OtherThan(null).IsCompleted);
    }

    [Fact]
    public void Who_asks_again_after_an_answer_waits_again()
    {
        var offer = new SnapshotExchange(first);
        _ = offer.OtherThan(first);
        var second = Empty();
        offer.Put(second);

        Assert.False(offer.OtherThan(second).IsCompleted);
    }

    [Fact]
    public void Several_who_wait_are_all_told()
    {
        var offer = new SnapshotExchange(first);
        Task[] waiting = [offer.OtherThan(first), offer.OtherThan(first)];

        offer.Put(Empty());

        Assert.All(waiting, task => Assert.True(task.IsCompletedSuccessfully));
    }

    [Fact]
    public void A_condition_ignores_what_does_not_meet_it_and_what_was_seen()
    {
        var offer = new SnapshotExchange(first);
        var ended = offer.Until(first, now => now.End == SessionEnd.TargetExited);
        var all = offer.Until(first, _ => true);
        Assert.False(all.IsCompleted);

        ended = offer.Until(first, now => now.End == SessionEnd.TargetExited);
        offer.Put(Empty());
        Assert.False(ended.IsCompleted);
        offer.Put(Empty() with { End = SessionEnd.TargetExited });

        Assert.True(ended.IsCompletedSuccessfully);
    }

    [Fact]
    public void A_condition_that_the_newest_meets_already_is_not_waited_for()
    {
        var offer = new SnapshotExchange(first);
        offer.Put(Empty());

        Assert.True(offer.Until(first, _ => true).IsCompletedSuccessfully);
        Assert.False(offer.Until(first, _ => false).IsCompleted);
    }

    static CaptureSnapshot Empty()
    {
        var report = new PoolScript().Pass(1000).Report();
        return new(report.Timeline, new() { InjectionDelays = [], Journal = [], Evicted = 0, Tally = report.Tally }, new(),
            SessionEnd.StillOpen);
    }
}
