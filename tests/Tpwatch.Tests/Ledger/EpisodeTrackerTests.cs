using Tpwatch.Core;
using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Ledger;

public sealed class EpisodeTrackerTests
{
    readonly EpisodeTracker episodes = new();

    [Fact]
    public void Stretches_at_most_a_second_and_a_half_apart_are_one_episode()
    {
        episodes.Starved(Span(0, 1000), cpu: null);
        episodes.Starved(Span(2500, 3000), cpu: null);

        var one = Assert.Single(Seen());
        Assert.Equal((0.0, 3000.0), (Ms(one.Span.From), Ms(one.Span.To)));
        // The time without a dequeue is not the wait of any one item.
        Assert.Equal(0, one.ProvenWaitMs);
    }

    [Fact]
    public void Stretches_further_apart_are_two()
    {
        episodes.Starved(Span(0, 1000), cpu: null);
        episodes.Starved(Span(2501, 3000), cpu: null);

        Assert.Equal(2, Seen().Length);
    }

    [Fact]
    public void A_proven_wait_that_reaches_back_joins_everything_it_touches()
    {
        episodes.Starved(Span(0, 1000), cpu: null);
        episodes.Starved(Span(4000, 5000), cpu: null);
        episodes.Waited(Span(2000, 8000), 0.1);

        var one = Assert.Single(Seen());
        Assert.Equal((0.0, 8000.0), (Ms(one.Span.From), Ms(one.Span.To)));
    }

    /// <summary>Processor use beside an injection, if one came; and second by second while items wait, NaN where nobody read it.</summary>
    [Theory]
    [InlineData(Verdict.Starved, 0.15, 0.15, 0.15, 0.15)]
    [InlineData(Verdict.Saturated, 0.97, 0.95, 0.95, 0.95)]
    [InlineData(Verdict.Saturated, null, 0.95, 0.85, 0.30)]
    [InlineData(Verdict.SilentlyStarved, null, 0.95, 0.30)]
    [InlineData(Verdict.SilentlyStarved, null, double.NaN)]
    public void An_episode_is_what_its_injections_and_processors_make_it(Verdict kind, double? injectedAt, params double[] cpu)
    {
        for (var second = 0; second < cpu.Length; second++)
        {
            episodes.Waited(Span(0, (second + 1) * 1000), double.IsNaN(cpu[second]) ? null : cpu[second]);
        }

        if (injectedAt is not null)
        {
            episodes.Starved(Span(3500, 4100), injectedAt);
        }

        Assert.Equal(kind, Seen().Single().Kind);
    }

    [Fact]
    public void What_was_saturated_for_minutes_and_then_blocks_is_starved()
    {
        for (var second = 1; second <= 120; second++)
        {
            episodes.Waited(Span((second - 1) * 1000, second * 1000), 0.95);
        }

        for (var second = 121; second <= 124; second++)
        {
            episodes.Waited(Span((second - 1) * 1000, second * 1000), 0.05);
        }

        Assert.Equal(Verdict.SilentlyStarved, Seen().Single().Kind);
    }

    [Theory]
    [InlineData(900, 0.95, Verdict.Saturated)]
    [InlineData(400, 0.95, Verdict.SilentlyStarved)]
    [InlineData(900, 0.10, Verdict.SilentlyStarved)]
    public void Where_others_take_the_processors_of_items_that_compute_it_stays_saturated(double readyMs, double cpuBefore, Verdict kind)
    {
        episodes.Waited(Span(0, 1000), cpuBefore);
        episodes.Waited(Span(0, 5000), 0.30);
        episodes.Waited(Span(0, 6000), 0.30);
        var hindrances = new HindranceTracker();
        for (var second = 1; second <= 6; second++)
            hindrances.Take(new ProcessReading(At(second * 1000), 1000, Stopped: false) { WaitMs = readyMs });

        Assert.Equal(kind, Assert.Single(episodes.Snapshot(At(6000), 1000, hindrances)).Kind);
    }

    [Fact]
    public void What_hindered_the_process_in_an_episode_is_remembered_when_it_is_no_longer_kept()
    {
        const int Hours = 3, SecondsOfOne = 3600;
        episodes.Waited(Span(0, 6000), 0.1);
        var hindrances = new HindranceTracker();
        for (var second = 1; second <= Hours * SecondsOfOne; second++)
        {
            hindrances.Take(new ProcessReading(At(second * 1000.0), 1000, Stopped: false) { ThrottledMs = 900 });
            if (second % SecondsOfOne == 60)
                Assert.Equal(Verdict.NotThePool, Assert.Single(episodes.Snapshot(At(second * 1000.0), 1000, hindrances)).Kind);
        }

        Assert.Equal(0, hindrances.MsWithin(new(At(0), At(6000)), HindranceKind.Throttled));
        Assert.Equal(Verdict.NotThePool, Assert.Single(episodes.Snapshot(At(Hours * 3600e3), 1000, hindrances)).Kind);
    }

    [Fact]
    public void An_episode_is_over_a_heartbeat_and_a_half_second_after_it_could_have_gone_on()
    {
        episodes.Waited(Span(0, 1000), 0.1);

        Assert.False(episodes.Snapshot(At(3500), 1000).Single().Over);
        Assert.True(episodes.Snapshot(At(3501), 1000).Single().Over);
    }

    [Fact]
    public void They_are_bounded()
    {
        for (var i = 0; i < 1500; i++)
        {
            episodes.Starved(Span(i * 10_000.0, i * 10_000.0 + 600), cpu: null);
        }

        Assert.Equal(1000, Seen().Length);
        Assert.Equal(5_000_000, Ms(Seen()[0].Span.From));
        Assert.Equal((500, 500 * 600.0), (episodes.Dropped, episodes.DroppedMs));
    }

    [Fact]
    public void A_max_that_is_known_late_explains_every_wait_since_then()
    {
        for (var i = 0; i < 4; i++)
        {
            episodes.Waited(Span(i * 10_000.0, i * 10_000.0 + 2000), cpu: null);
        }

        // Long after the last episode, so that all kinds are final.
        var later = At(600_000);
        Assert.All(episodes.Snapshot(later, 1000), e => Assert.Equal(Verdict.SilentlyStarved, e.Kind));
        episodes.HadNoRoom(At(12_000));

        Assert.Equal(
            [Verdict.SilentlyStarved, Verdict.StarvedAtMax, Verdict.StarvedAtMax, Verdict.StarvedAtMax],
            episodes.Snapshot(later, 1000).Select(e => e.Kind));
    }

    [Theory]
    [InlineData(8500, Verdict.Starved)]
    [InlineData(8499, Verdict.SilentlyStarved)]
    public void A_wait_that_begins_soon_after_a_loss_may_have_had_an_injection(double lostMs, Verdict kind)
    {
        episodes.Lose(At(lostMs));
        episodes.Waited(Span(10_000, 12_000), cpu: null);

        Assert.Equal(kind, Assert.Single(Seen()).Kind);
    }

    /// <summary>Nine wait, and one completes in so long; three seconds after the last proof it may have been the queue's chance.</summary>
    [Theory]
    [InlineData(9, 1000, 2000)]
    [InlineData(9, 4600, 1000)]
    [InlineData(1, 1000, 1000)]
    public void An_episode_goes_on_while_the_queue_takes_long_to_empty(long queueLength, double afterMs, double endMs)
    {
        episodes.Waited(Span(0, 1000), cpu: null);
        var log = new CounterSampleLog();
        log.Add(new(At(1000 + afterMs), 1000, 60, queueLength, 9, 0.05));
        episodes.Take(log);

        Assert.Equal(endMs, Ms(Assert.Single(Seen()).Span.To));
    }

    [Fact]
    public void What_was_wedged_and_is_given_a_thread_starves_like_any_other()
    {
        episodes.Charge(Mechanism.G14Wedged, Span(0, 4000), cpu: null, workers: 4);
        Assert.Equal(Verdict.Wedged, Assert.Single(Seen()).Kind);
        episodes.Starved(Span(4500, 5000), cpu: null, targetThreads: 4);
        Assert.Equal(Verdict.Starved, Assert.Single(Seen()).Kind);
    }

    System.Collections.Immutable.ImmutableArray<StarvedEpisode> Seen() => episodes.Snapshot(At(0), 1000);

    static EventSpan Span(double from, double to) => new(At(from), At(to));

    static EventTime At(double ms) => new EventTime(3_000_000_000).PlusMs(ms);

    static double Ms(EventTime at) => at.MsSince(At(0));
}
