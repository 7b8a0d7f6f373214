using Tpwatch.Core;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Sessions;

namespace Tpwatch.Tests.Attach.Clock;

public sealed class ClockRulesTests
{
    // The measured machine: values change 1.5 ms after a grid point, every 4 ms.
    const double Step = 4;
    const double LagAtEdge = 1.5;

    [Fact]
    public void Lags_from_0_to_a_step_mean_that_our_own_wake_up_refreshed_the_clock() =>
        Assert.Equal(ClockRegime.Idle, ClockRegimeRule.Judge(Lags(75, 0, Step), Step, LagAtEdge));

    [Fact]
    public void Lags_from_the_edge_on_mean_that_the_clock_was_refreshed_at_edges() =>
        Assert.Equal(ClockRegime.Busy, ClockRegimeRule.Judge(Lags(75, LagAtEdge, Step + LagAtEdge), Step, LagAtEdge));

    [Fact]
    public void Some_of_both_is_mixed() =>
        Assert.Equal(
            ClockRegime.Mixed, ClockRegimeRule.Judge([.. Lags(40, 0, Step), .. Lags(40, LagAtEdge, Step + LagAtEdge)], Step, LagAtEdge));

    [Fact]
    public void Two_late_ones_of_eighty_are_still_idle() =>
        Assert.Equal(ClockRegime.Idle, ClockRegimeRule.Judge([.. Lags(78, 0, Step), 4.5, 5.1], Step, LagAtEdge));

    [Fact]
    public void Nineteen_lags_are_too_few() => Assert.Equal(ClockRegime.Unknown, ClockRegimeRule.Judge(Lags(19, 0, Step), Step, LagAtEdge));

    [Fact]
    public void Twenty_lags_are_enough() => Assert.Equal(ClockRegime.Idle, ClockRegimeRule.Judge(Lags(20, 0, Step), Step, LagAtEdge));

    [Fact]
    public void An_edge_close_behind_the_grid_cannot_tell_the_regimes_apart() =>
        Assert.Equal(ClockRegime.Mixed, ClockRegimeRule.Judge(Lags(75, 0.1, Step + 0.1), Step, lagAtEdgeMs: 0.1));

    [Theory]
    [InlineData(80, 0, 1.0)]
    [InlineData(0, 80, 0.0)]
    [InlineData(60, 20, 0.75)]
    [InlineData(20, 60, 0.25)]
    public void The_share_of_wake_ups_that_refresh_the_clock_shows_in_the_lags_that_only_one_kind_has(int idle, int busy, double share) =>
        Assert.Equal(share,
            ClockRegimeRule.IdleShare([.. Lags(idle, 0, Step), .. Lags(busy, LagAtEdge, Step + LagAtEdge)], Step, LagAtEdge)!.Value, 0.05);

    [Fact]
    public void Of_few_such_lags_no_share_is_said() => Assert.Null(ClockRegimeRule.IdleShare(Lags(8, 0, Step), Step, LagAtEdge));

    [Fact]
    public void The_edge_is_the_earliest_near_the_median() =>
        Assert.Equal(0.016, ClockEdge.Edge([0.020, 0.018, 0.016, 0.030, 2.7, 0.021, 0.022], Step)!.Value, 6);

    [Fact]
    public void Edges_on_both_sides_of_a_multiple_of_the_step_are_neighbours() =>
        Assert.Equal(3.995, ClockEdge.Edge([0.002, 3.995, 0.010, 0.004, 3.999], Step)!.Value, 6);

    [Fact]
    public void Without_an_edge_seen_there_is_none() => Assert.Null(ClockEdge.Edge([], Step));

    [Theory]
    [InlineData(5.5, 1.5)]
    [InlineData(-0.5, 3.5)]
    [InlineData(4, 0)]
    public void A_remainder_is_never_negative(double value, double remainder) => Assert.Equal(remainder, ClockEdge.Modulo(value, 4), 9);

    [Fact]
    public void A_log_leaves_out_what_says_nothing_new()
    {
        ClockReadingLog log = new();
        ClockReading first = new(new EventTime(0), 4, 2.5, 0.02, ClockRegime.Idle);
        log.Add(first);
        log.Add(first with { At = new EventTime(1_000_000_000) });
        log.Add(first with { At = new EventTime(2_000_000_000), Regime = ClockRegime.Busy });
        log.Add(first with { At = new EventTime(3_000_000_000), Regime = ClockRegime.Busy, GridMs = 2.4 });
        log.Add(first with { At = new EventTime(14_000_000_000), Regime = ClockRegime.Busy, GridMs = 2.4 });
        Assert.Equal([0L, 2, 3, 14], log.Readings.Select(r => r.At.Nanoseconds / 1_000_000_000));
    }

    [Fact]
    public void A_log_stays_bounded_and_covers_the_whole_time()
    {
        ClockReadingLog log = new();
        for (var i = 0; i < 20_000; i++)
        {
            log.Add(new ClockReading(new EventTime(i), 4, 2.5, 0.02, i % 2 == 0 ? ClockRegime.Idle : ClockRegime.Busy));
        }

        Assert.InRange(log.Readings.Count, 2048, 4096);
        Assert.Equal((0, 19_999), (log.Readings[0].At.Nanoseconds, log.Readings[^1].At.Nanoseconds));
    }

    static double[] Lags(int count, double from, double to) =>
        [.. Enumerable.Range(0, count).Select(i => from + ((to - from) * i / count))];
}
