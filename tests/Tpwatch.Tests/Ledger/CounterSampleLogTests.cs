using FsCheck;
using FsCheck.Fluent;
using Tpwatch.Core;
using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Ledger;

/// <summary>The proven wait: of q queued items at most c completed + n workers have been taken since (ticks.md section 6).</summary>
public sealed class CounterSampleLogTests
{
    [Fact]
    public void The_proven_wait_never_exceeds_the_longest_wait_that_is_true()
    {
        var proofs = 0;

        // Whatever arrives, however long it runs, in whatever order it is taken, while workers come and go.
        bool NeverMoreThanTheTruth(int seed)
        {
            var (log, random) = (new CounterSampleLog(), new Random(seed));
            var pool = new SimulatedPool(random.Next(1, 9), (TakeOrder)random.Next(3), seed: seed);
            for (var second = 0; second < 20; second++)
            {
                Second(pool, random, log);
                log.Add(Sample(pool, second));
                proofs += log.ProvenWaitMs > 0 ? 1 : 0;
                if (log.ProvenWaitMs > pool.LongestWaitMs + 1e-6)
                {
                    return false;
                }
            }

            return true;
        }

        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(300),
            Prop.ForAll(Gen.Choose(0, int.MaxValue - 1).ToArbitrary(), NeverMoreThanTheTruth));
        Assert.True(proofs > 1000, $"only {proofs} of 6000 readings proved a wait: the property says little");
    }

    [Fact]
    public void It_is_the_longest_that_can_be_proven()
    {
        // 100 wait at 0; 3 × 10 completed and 4 workers: at 3 s one of them still waits.
        Assert.Equal(3000, Log((100, 0, 4), (100, 10, 4), (100, 10, 4), (100, 10, 4)).ProvenWaitMs);
    }

    [Fact]
    public void It_proves_nothing_when_workers_and_completions_may_have_taken_all()
    {
        // 10 + 4 + a hundredth for the reading's width: 14 are not proven to leave one waiting.
        Assert.Equal(0, Log((14, 0, 4), (14, 10, 4)).ProvenWaitMs);
        Assert.Equal(1000, Log((15, 0, 4), (15, 10, 4)).ProvenWaitMs);
    }

    [Fact]
    public void It_allows_for_items_that_are_counted_on_either_side_of_a_reading()
    {
        // 50 000 in a second are 50 in the millisecond that the counters are read in.
        Assert.Equal(0, Log((50_040, 0, 4), (40, 50_000, 4)).ProvenWaitMs);
        Assert.Equal(1000, Log((50_060, 0, 4), (60, 50_000, 4)).ProvenWaitMs);
    }

    [Fact]
    public void Where_items_left_the_queue_that_nothing_counted_it_proves_nothing_across_that()
    {
        // 100 wait, none completes, and there are 4 workers: 96 must still wait. Where none does, a waiting worker has run them inline.
        Assert.Equal(0, Log((100, 0, 4), (0, 0, 4)).ProvenWaitMs);
        Assert.Equal(0, Log((100, 0, 4), (95, 0, 4)).ProvenWaitMs);
        Assert.Equal(1000, Log((100, 0, 4), (96, 0, 4)).ProvenWaitMs);
        Assert.Equal(2000, Log((100, 0, 4), (50, 0, 4), (50, 0, 4), (200, 0, 4)).ProvenWaitMs);
    }

    [Fact]
    public void It_reaches_no_further_back_than_completions_are_known()
    {
        Assert.Equal(1000, Log((100, 0, 4), (100, null, 4), (100, 1, 4)).ProvenWaitMs);
        Assert.Equal(0, Log((100, 0, 4), (100, 1, null)).ProvenWaitMs);
        Assert.Equal(0, new CounterSampleLog().ProvenWaitMs);
    }

    [Theory]
    [InlineData(false, 1000)]
    [InlineData(true, 0)]
    public void A_worker_that_was_idle_between_two_heartbeats_may_hold_an_item(bool wasIdle, double provenMs)
    {
        // Four wait and none completes. Four busy workers take none of them; one of four that was idle may have taken one, or all have.
        var log = Log((4, 0, 4));
        if (wasIdle)
        {
            log.NewWorkerCounter.Slept();
        }

        log.Add(new(At(1000), 1000, 4, 4, 0, 0.05));
        log.Add(new(At(2000), 1000, 4, 4, 0, 0.05));
        Assert.Equal(provenMs, log.ProvenWaitMs);
    }

    [Fact]
    public void Completions_are_excluded_only_where_heartbeats_cover_the_whole_span_and_counted_none()
    {
        var log = Log((9, 0, 4), (9, 0, 4), (9, 2, 4), (9, 0, 4), (9, null, 4));

        Assert.False(log.MayHaveCompleted(At(200), At(900)));
        Assert.True(log.MayHaveCompleted(At(200), At(1200)));
        Assert.False(log.MayHaveCompleted(At(2100), At(2900)));
        Assert.Null(log.MayHaveCompleted(At(2100), At(3500)));
        Assert.Null(log.MayHaveCompleted(At(4100), At(4200)));
        Assert.Null(log.MayHaveCompleted(At(-500), At(500)));
    }

    [Fact]
    public void Ticks_are_owed_for_what_is_left_when_each_dequeue_kept_the_gate_quiet_for_half_a_second()
    {
        // Twelve seconds with a dequeue each: thirteen half seconds of them are quiet, eleven ticks fall into the rest on average.
        Assert.Equal(11, Log([.. Enumerable.Repeat(((long?)9, (long?)1, (int?)4), 13)]).OwedChecks(At(0)), tolerance: 0.01);
        // What two in one second leave is not known, and what the seconds around them leave adds up.
        var cycle = new long?[] { 0, 1, 1, 4, 1, 1, 4 };
        Assert.Equal(2, Log([.. cycle.Select(done => ((long?)9, done, (int?)4))]).OwedChecks(At(0)), tolerance: 0.01);
        Assert.Equal(0, Log([.. Enumerable.Repeat(((long?)9, (long?)2, (int?)4), 60)]).OwedChecks(At(0)));
        Assert.Equal(0, Log([.. Enumerable.Repeat(((long?)0, (long?)1, (int?)4), 60)]).OwedChecks(At(0)));
        Assert.Equal(0, Log([.. Enumerable.Range(0, 60).Select(i => ((long?)9, (long?)1, (int?)(4 + i)))]).OwedChecks(At(0)));
    }

    [Fact]
    public void A_standstill_is_as_long_as_it_is_though_the_log_has_forgotten_its_begin()
    {
        Assert.Equal(2000, Log((9, 3, 4), (9, 0, 4), (11, 0, 4)).StalledMs);
        Assert.Equal(1_000_000, Log([.. Enumerable.Repeat(((long?)9, (long?)0, (int?)4), 1001)]).StalledMs);
        // An item ended, the queue is shorter, a worker came: each ends it.
        foreach (var other in (ReadOnlySpan<(long?, long?, int?)>)[(9, 1, 4), (8, 0, 4), (9, 0, 5), (0, 0, 4), (null, 0, 4)])
        {
            Assert.Equal(0, Log((9, 0, 4), (9, 0, 4), other).StalledMs);
        }
    }

    [Fact]
    public void Ticks_at_which_nobody_came_are_counted_from_the_newest_on_up_to_a_moment()
    {
        var log = Log((9, 3, 4), (9, 0, 4), (9, 0, 4), (9, 2, 4), (9, 0, 4));

        // Two quiet seconds and one more have three ticks and one: the first half second of each is what the condition asks for.
        Assert.True(log.HasUnanswered(4, At(0)));
        Assert.False(log.HasUnanswered(5, At(0)));
        Assert.True(log.HasUnanswered(1, At(2000)));
        Assert.False(log.HasUnanswered(2, At(2000)));
        Assert.False(log.HasUnanswered(1, At(4000)));
    }

    [Fact]
    public void A_missing_heartbeat_leaves_a_hole_that_is_not_taken_for_silence()
    {
        var log = new CounterSampleLog();
        log.Add(new(At(0), null, 4, 9, null, null));
        log.Add(new(At(1000), 1000, 4, 9, 0, null));
        log.Add(new(At(3000), 1000, 4, 9, 0, null));

        Assert.Null(log.MayHaveCompleted(At(500), At(2500)));
    }

    [Theory]
    [InlineData(-500, 3)]
    [InlineData(500, 9)]
    [InlineData(1500, 9)]
    [InlineData(2500, 5)]
    public void The_queue_around_a_moment_is_the_longer_of_its_two_neighbours(double ms, long length) =>
        Assert.Equal(length, Log((3, 0, 4), (9, 0, 4), (5, 0, 4)).QueueLengthAround(At(ms)));

    [Theory]
    [InlineData(0.1, 0.2)]
    [InlineData(0.3, 0.6)]
    [InlineData(0.7, 1.0)]
    public void All_that_was_computed_in_a_second_may_lie_in_the_half_of_it_that_the_gate_reads(double cpu, double atMost)
    {
        var log = new CounterSampleLog();
        log.Add(new(At(1000), 1000, 4, 9, 0, cpu));
        log.Add(new(At(2000), 1000, 4, 9, 0, 0.01));

        Assert.Equal(atMost, log.CpuAtMost(At(1000))!.Value, tolerance: 1e-9);
        Assert.Equal(1, log.CpuAtMost(At(5000)));
    }

    [Fact]
    public void No_check_is_owed_before_a_moment_or_where_the_queue_was_empty_at_either_end()
    {
        var log = Log([.. Enumerable.Repeat(((long?)9, (long?)0, (int?)4), 9)]);
        Assert.Equal(15, log.OwedChecks(At(0)), tolerance: 0.1);
        Assert.Equal(9, log.OwedChecks(At(3000)), tolerance: 0.1);
        Assert.Equal(0, Log((9, 0, 4), (0, 0, 4), (9, 0, 4), (0, 0, 4)).OwedChecks(At(0)));
    }

    [Fact]
    public void After_a_loss_nothing_is_proven()
    {
        var log = Log((100, 0, 4), (100, 0, 4));
        Assert.Equal(1000, log.ProvenWaitMs);
        log.Forget();
        Assert.Equal((0, 0, null), (log.ProvenWaitMs, log.StalledMs, log.QueueLengthAround(At(500))));
    }

    static void Second(SimulatedPool pool, Random random, CounterSampleLog log)
    {
        var burst = random.Next(3) == 0;
        var trickle = random.Next(1, 40);
        for (var slice = 0; slice < 20; slice++)
        {
            pool.Enqueue(burst && slice == 7 ? random.Next(1, 80) : random.Next(100) < trickle ? 1 : 0, Run(random));
            var before = pool.Sleeps;
            pool.Advance(50);
            if (pool.Sleeps > before)
            {
                log.NewWorkerCounter.Slept();
            }
        }

        if (random.Next(4) == 0)
        {
            pool.AddWorker();
            log.NewWorkerCounter.Come(1);
        }

        if (random.Next(4) == 0)
        {
            pool.DropIdleWorker();
        }
    }

    static double Run(Random random) => random.Next(3) switch
    {
        0 => random.Next(1, 20),
        1 => random.Next(100, 900),
        _ => random.Next(500, 6000),
    };

    static CounterSample Sample(SimulatedPool pool, int second)
    {
        var (queueLength, completed) = pool.Read();
        return new(At(second * 1000.0), second == 0 ? null : 1000, pool.Workers, queueLength, second == 0 ? null : completed, 0.05);
    }

    static CounterSampleLog Log(params (long? QueueLength, long? Completed, int? Workers)[] samples)
    {
        var log = new CounterSampleLog();
        for (var i = 0; i < samples.Length; i++)
        {
            log.Add(new(At(i * 1000.0), i == 0 ? null : 1000, samples[i].Workers, samples[i].QueueLength, samples[i].Completed, 0.05));
        }

        return log;
    }

    static EventTime At(double ms) => new EventTime(7_000_000_000).PlusMs(ms);
}
