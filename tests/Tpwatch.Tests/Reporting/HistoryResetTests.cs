using Tpwatch.Core;
using Tpwatch.Diagnosis;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Reporting;

/// <summary>
/// What is forgotten at a key leaves nothing: stops, suspensions and loss of before are told no more, those of afterwards are.
/// </summary>
public sealed class HistoryResetTests
{
    readonly PoolFold fold = new(new TargetFacts { Pid = 1, Name = "a" }, SessionSource.Live);

    [Fact]
    public void Stops_suspensions_and_loss_of_before_are_gone()
    {
        Suspended(1000, 40);
        Stopped(2000, 500);
        Lost(2500, null);
        var seen = fold.Timeline.Snapshot();

        var after = Forgotten(seen);

        Assert.Empty(after.Hindrances);
        Assert.Empty(after.HindranceTotals);
        Assert.Equal(
            (0, 0, false, 0), (after.Quality.Events, after.Quality.Lost, after.Quality.LossUnknown, after.Quality.LossSpans.Length));
    }

    [Fact]
    public void Those_of_afterwards_are_told_alone()
    {
        Suspended(1000, 400);
        Lost(1500, 17);
        var seen = fold.Timeline.Snapshot();
        Suspended(2000, 30);
        Suspended(2100, 2);
        Lost(2500, 4);

        var after = Forgotten(seen);

        Assert.Equal([new HindranceTotal(HindranceKind.Suspension, 2, 32, 30)], after.HindranceTotals);
        Assert.Equal((4, 1), (after.Quality.Lost, after.Quality.LossSpans.Length));
    }

    [Fact]
    public void A_stop_that_goes_on_counts_from_the_moment_of_forgetting()
    {
        Stopped(2000, 500);
        fold.Sink().On(new CountersRead(At(2000), null, 4, 0, null, new(null, null)));
        var seen = fold.Timeline.Snapshot();
        Stopped(3000, 1500);

        var after = Forgotten(seen);

        Assert.Equal(1000, Assert.Single(after.Hindrances).Ms);
        Assert.Equal([new HindranceTotal(HindranceKind.Stopped, 1, 1000, 1000)], after.HindranceTotals);
    }

    [Fact]
    public void The_longest_of_stops_too_short_to_be_kept_is_at_least_their_mean()
    {
        Suspended(1000, 4);
        var seen = fold.Timeline.Snapshot();
        Suspended(2000, 2);
        Suspended(2100, 4);

        Assert.Equal([new HindranceTotal(HindranceKind.Suspension, 2, 6, 3)], Forgotten(seen).HindranceTotals);
    }

    [Fact]
    public void A_move_at_the_moment_of_forgetting_is_forgotten_and_the_largest_pool_is_that_of_afterwards()
    {
        fold.Sink().On(new WorkerStarted(At(500), 1, 40));
        fold.Sink().On(new WorkerStopped(At(600), 1, 7));
        fold.Sink().On(new TargetThreadsChanged(At(1000), 1, 9, AdjustmentReason.ClimbingMove));
        var seen = fold.Timeline.Snapshot();
        fold.Sink().On(new WorkerStarted(At(2000), 1, 8));
        fold.Sink().On(new TargetThreadsChanged(At(2100), 1, 10, AdjustmentReason.ClimbingMove));

        var after = HistoryReset.Before(seen, fold.Timeline.Snapshot(), fold.Ledger.Snapshot()).Ledger;
        Assert.Equal((At(2100), 1, 8), (Assert.Single(after.InjectionDelays, g => !g.IsWait).End, after.Tally.Moves, after.MaxWorkers));
        Assert.Equal(At(2100), Assert.Single(after.Journal, g => !g.IsWait).End);
    }

    [Fact]
    public void A_loss_of_unknown_size_afterwards_stays_unknown()
    {
        Lost(500, null);
        var seen = fold.Timeline.Snapshot();
        Lost(2000, null);
        Assert.True(Forgotten(seen).Quality.LossUnknown);
    }

    [Theory]
    [InlineData(1000, 0)]
    [InlineData(1001, 1)]
    public void A_wait_that_was_over_at_the_moment_of_forgetting_is_forgotten(double to, int kept)
    {
        Suspended(1000, 1);
        var seen = fold.Timeline.Snapshot();
        StarvedEpisode wait = new(new(At(0), At(to)), Verdict.Starved, Over: true, 0);
        Assert.Equal(kept, HistoryReset.Before(seen, seen, fold.Ledger.Snapshot() with { Episodes = [wait] }).Ledger.Episodes.Length);
    }

    TimelineSnapshot Forgotten(TimelineSnapshot seen) =>
        HistoryReset.Before(seen, fold.Timeline.Snapshot(), fold.Ledger.Snapshot()).Timeline;

    void Suspended(double ms, double lasted) => fold.Sink().On(new ThreadsSuspended(At(ms), lasted));

    void Stopped(double ms, double lasted) =>
        fold.Sink().On(new ProcessSampled(new(At(ms), 1000, Stopped: true) { StoppedSince = At(ms - lasted), StoppedUntil = At(ms) }));

    void Lost(double ms, long? count) => fold.Sink().On(new EventsLost(At(ms), count));

    static EventTime At(double ms) => default(EventTime).PlusMs(ms);
}
