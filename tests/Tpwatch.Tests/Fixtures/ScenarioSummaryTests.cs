using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Fixtures.Web.Scenarios;

namespace Tpwatch.Tests.Fixtures;

public sealed class ScenarioSummaryTests
{
    [Fact]
    public void A_burst_counts_the_workers_that_came_at_once_and_the_time_until_the_last_item_ended()
    {
        var summary = new PoolBurst().Summarise(SampleTruth.Of(
            15_000, (0, 1, 5_001, 1), (0.25, 2, 5_002, 2), (0.5, 1_003, 6_003, 3), (0.75, 2_004, 7_004, 4), (1, 9_002, 14_002, 5)));

        Assert.Equal(14_002, summary.Headline!.Value, 3);
        Assert.Equal("2", Here(summary, "workers at once"));
        Assert.Equal("1001 ms", Here(summary, "until the first item ended 2 more, one every"));
        Assert.Equal("0.250 ms", Here(summary, "scheduling one item took"));
    }

    [Fact]
    public void A_burst_that_was_cut_has_no_total() =>
        Assert.Null(new PoolBurst().Summarise(SampleTruth.Of(100, (0, 1, 50, 1), (0, 2, null, 2))).Headline);

    [Fact]
    public void Most_at_once_counts_items_that_never_ended_and_not_a_worker_that_takes_its_next_item_in_the_same_tick()
    {
        var truth = SampleTruth.Of(100, (0, 1, 10, 1), (0, 10, null, 1), (0, 20, null, 2), (0, null, null, 0));

        Assert.Equal(2, truth.MostAtOnce());
        Assert.Equal(2, new SyncOverAsync().Summarise(truth).Headline);
    }

    [Fact]
    public void A_trickle_that_stands_still_at_its_end_shows_it()
    {
        var summary = new Trickle().Summarise(SampleTruth.Of(1_000, (0, 1, 301, 1), (0, 301, 601, 1), (10, null, null, 0)));

        Assert.Equal(699, summary.Headline!.Value, 3);
        Assert.Equal("990 ms", Here(summary, "longest wait of an item"));
        Assert.Equal("1", Here(summary, "items waiting at the end"));
    }

    [Fact]
    public void A_steady_load_gives_the_median_wait() =>
        Assert.Equal(2, new Steady().Summarise(SampleTruth.Of(100, (0, 1, 3, 1), (10, 12, 13, 1), (20, 40, 41, 1))).Headline!.Value, 3);

    [Fact]
    public void A_standstill_counts_to_the_end_of_the_run_while_items_wait_and_not_when_none_does()
    {
        Assert.Equal("900 ms", Here(
            new LockConvoy().Summarise(SampleTruth.Of(1_000, (0, 100, null, 1), (0, null, null, 0))), "longest time between two starts"));
        Assert.Equal("50 ms",
            Here(new LockConvoy().Summarise(SampleTruth.Of(1_000, (0, 100, 120, 1), (0, 150, 160, 1))), "longest time between two starts"));
    }

    [Fact]
    public void A_ceiling_is_told_from_the_number_of_processors() =>
        Assert.Equal(2 - 8, new Ceiling().Summarise(SampleTruth.Of(100, (0, 1, null, 1), (0, 2, null, 2))).Headline);

    [Fact]
    public void A_worker_that_lives_through_the_pause_is_counted() =>
        Assert.Equal(1, new IdleTimeout().Summarise(SampleTruth.Of(
            100, (0, 1, 2, 1), (0, 1, 2, 2), (0, 1, 2, 3), (50, 51, 52, 9), (50, 51, 52, 2), (50, 51, 52, 9))).Headline);

    [Fact]
    public void A_recovery_is_the_first_item_after_the_slow_time_that_finds_a_worker_at_once()
    {
        var truth = SampleTruth.Of(
            20_000, (0, 1, 2_000, 1), (10_100, 10_240, 10_245, 1), (10_250, 10_251, 10_260, 1), (12_000, 12_100, 12_105, 1));
        var summary = new Recovering().Summarise(
            truth with { Header = truth.Header with { Options = truth.Header.Options.Add("slow", 10) } });

        Assert.Equal(250, summary.Headline!.Value, 3);
    }

    [Fact]
    public void Request_time_is_told_from_the_requests_that_ended() =>
        Assert.Equal(500, new WebAsync().Summarise(SampleTruth.Of(1_000, (0, 1, 500, 1), (10, 11, null, 2))).Headline!.Value, 3);

    [Fact]
    public void Injection_latency_is_the_mean_over_the_items_that_min_had_no_worker_for()
    {
        var summary = new InjectionLatency().Summarise(SampleTruth.Of(
            3_000, (0, 1, null, 1), (1, 2, null, 2), (2, 503, null, 3), (503, 1_504, null, 4), (1_504, null, null, 0)).With(min: 2));

        Assert.Equal(751, summary.Headline!.Value, 3);
        Assert.Equal("1, 1", Here(summary, "at the gate's first look, later"));
    }

    [Fact]
    public void A_drained_queue_stands_beside_the_arithmetic()
    {
        var truth = SampleTruth.Of(1_100, (0, 0, 500, 1), (0, 20, 520, 2), (0, 540, 1_040, 1));
        var summary = new TenTimesNetworkCall().Summarise(truth.With(min: 2, ("items", 3), ("hold", 500), ("call", 0)));

        Assert.Equal(560.0 / 3, summary.Headline!.Value, 3);
        Assert.Equal("167 ms", Here(summary, "arithmetic: 2 workers from the first item on"));
        Assert.Equal("1040 ms", Here(summary, "all items had ended after"));
    }

    [Fact]
    public void An_average_over_some_of_the_items_says_so()
    {
        var truth = SampleTruth.Of(100, (0, 10, 50, 1), (0, null, null, 0)).With(min: 1, ("items", 2), ("every", 10), ("hold", 40));

        Assert.Equal("10 ms, of 1 that began", Here(new CappedBlocking().Summarise(truth), DrainSummary.MeanWait));
    }

    [Fact]
    public void A_wait_that_lasts_at_the_end_counts_as_the_longest() =>
        Assert.Equal(90, new EightMinutes().Summarise(SampleTruth.Of(100, (0, 1, null, 1), (10, null, null, 0))).Headline!.Value, 3);

    [Fact]
    public void A_deadlock_counts_those_that_wait_and_how_long_nothing_has_happened()
    {
        var summary = new Deadlock().Summarise(SampleTruth.Of(900, (0, 1, null, 1), (0, 400, null, 2), (0, null, null, 0)));

        Assert.Equal(2, summary.Headline);
        Assert.Equal("500 ms", Here(summary, "nothing has happened since, for"));
        Assert.Equal("1", Here(summary, "items still queued"));
    }

    [Fact]
    public void Lateness_is_told_for_each_kind_and_a_kind_that_never_came_is_told_as_that()
    {
        var summary = new LateCallbacks().Summarise(SampleTruth.Of(100, (0, 1, 50, 1))
            .Noting((DueCallbacks.SocketKind, 3), (DueCallbacks.SocketKind, 40),
                (DueCallbacks.SocketKind, 20), (DueCallbacks.WaitKind, 7)));

        Assert.Equal(40, summary.Headline);
        Assert.Equal("20 ms, 40 ms (of 3)", Here(summary, "socket continuations late by: half of them at most, longest"));
        Assert.Equal("none came", Here(summary, "timer callbacks late by: half of them at most, longest"));
    }

    [Fact]
    public void Counting_items_that_were_never_told_say_so_and_have_no_total()
    {
        var summary = new TenCountingItems().Summarise(SampleTruth.Of(100, (0, 1, null, 1), (0, 60, null, 2)));

        Assert.Null(summary.Headline);
        Assert.Equal("never", Here(summary, "told to stop after"));
        Assert.Equal("2", Here(summary, "workers by then"));
    }

    [Fact]
    public void Counts_stand_beside_the_articles_and_are_summed()
    {
        var summary = new TenCountingThreads().Summarise(
            SampleTruth.Of(100).Noting((CountSummary.Counted, 50), (CountSummary.Counted, 200)));

        Assert.Equal(250, summary.Headline);
        Assert.Equal("957 393", summary.Lines.Single(line => line.What == "T0").Article);
        Assert.Equal("25", Here(summary, "smallest count, percent of the largest"));
    }

    [Fact]
    public void A_limit_that_was_refused_says_so_and_the_headline_is_what_ran_at_once()
    {
        var summary = new LimitsByCall().Summarise(SampleTruth.Of(100, (0, 1, null, 1), (0, 2, null, 2), (0, null, null, 0))
            .Noting(("SetMinThreads(30, 1) answered", 1), ("SetMaxThreads(2, 1000) answered", 0)));

        Assert.Equal(2, summary.Headline);
        Assert.StartsWith("true after 1.0 ms", Here(summary, "SetMinThreads(30, 1) answered"), StringComparison.Ordinal);
        Assert.StartsWith("false: refused, nothing changed", Here(summary, "SetMaxThreads(2, 1000) answered"), StringComparison.Ordinal);
    }

    [Fact]
    public void Items_that_are_held_count_with_the_time_since_which_nothing_has_happened()
    {
        var summary = new Held().Summarise(SampleTruth.Of(10_000, (0, 1, null, 1), (0, 4_000, null, 2)));

        Assert.Equal(2, summary.Headline);
        Assert.Equal("6000 ms", Here(summary, "nothing has happened since, for"));
        Assert.Equal("0", Here(summary, "items still queued"));
    }

    [Fact]
    public void A_wedged_pool_counts_what_is_queued_and_what_began_all_the_same()
    {
        var truth = SampleTruth.Of(9_000, (0, 1, 301, 1), (0, 1, 301, 2), (2_000, 8_000, 8_001, 3), (2_000, null, null, 0));

        Assert.Equal(1, new Wedged().Summarise(truth).Headline);
        Assert.Equal("never", Here(new Wedged().Summarise(truth), "the request for a worker was forced after"));
        Assert.Equal("1", Here(new Wedged().Summarise(truth.Noting(("forced after", 2))), "items that began since"));
    }

    [Fact]
    public void A_growing_load_is_told_at_the_moment_at_which_an_item_has_waited_a_second()
    {
        var truth = SampleTruth.Of(9_000, (0, 1, 401, 1), (3_000, 3_900, 4_300, 1), (4_000, 6_000, 6_400, 1))
            .With(min: 1, ("over", 10), ("peak", 120));
        var summary = new SlowGrowth().Summarise(truth);

        Assert.Equal(70, summary.Headline!.Value, 3);
        Assert.Equal("5000 ms", Here(summary, "an item waited a second for the first time after"));
        Assert.Null(new SlowGrowth().Summarise(SampleTruth.Of(9_000, (0, 1, 401, 1))).Headline);
    }

    [Fact]
    public void What_computed_first_does_not_count_when_it_is_over_and_what_waits_does() =>
        Assert.Equal(
            1, new SaturationThenStarvation().Summarise(
                SampleTruth.Of(9_000, (0, 1, 5_000, 1), (5_000, 5_001, null, 1), (5_000, null, null, 0))).Headline);

    [Fact]
    public void One_bad_moment_does_not_move_the_median() =>
        Assert.Equal(
            1, new OneWaitLongAgo().Summarise(
                SampleTruth.Of(9_000, (0, 1, 2, 1), (50, 1_050, 1_052, 1), (1_100, 1_101, 1_102, 1))).Headline!.Value, 3);

    [Fact]
    public void A_run_in_which_nothing_started_has_no_figures() =>
        Assert.All([.. ScenarioCatalogue.All, .. WebCatalogue.All], (IScenario scenario) =>
        {
            var summary = scenario.Summarise(SampleTruth.Of(100));
            Assert.Empty(summary.Lines);
            Assert.Null(summary.Headline);
        });

    [Fact]
    public void Workers_appear_in_the_order_of_their_first_items()
    {
        var truth = SampleTruth.Of(100, (0, 5, 6, 7), (0, 1, 4, 9), (0, 6, 8, 9), (0, 2, null, 3));

        Assert.Equal([9, 3, 7], truth.Appearances().Select((TruthItem item) => item.ManagedThread!.Value));
    }

    static string Here(ScenarioSummary summary, string what) => summary.Lines.Single(line => line.What == what).Here;
}
