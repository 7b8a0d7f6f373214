using Tpwatch.WhatIf;

namespace Tpwatch.Tests.Forecast;

/// <summary>The run time of an item follows from when workers began and how many items were completed at each heartbeat.</summary>
public sealed class RunTimeFitTests
{
    const double BeatMs = 1000;

    [Theory]
    // Ten workers that end together twice a second: each heartbeat meets a burst or just misses it.
    [InlineData(10, 500, 8, 0.03)]
    [InlineData(10, 730, 8, 0.02)]
    [InlineData(200, 500, 3, 0.10)]
    [InlineData(4, 5_000, 12, 0.05)]
    [InlineData(40, 30_000, 40, 0.03)]
    [InlineData(1, 1_900, 20, 0.02)]
    public void Items_of_one_length_are_measured_although_heartbeats_are_coarse(int workers, double runMs, int samples, double within)
    {
        var run = Fit(workers, runMs, samples, spacingMs: 0.3);
        Assert.True(run.InStep);
        Assert.InRange(run.Ms, runMs * (1 - within), runMs * (1 + within));
        Assert.InRange(runMs, run.LowMs * 0.999, run.HighMs * 1.001);
    }

    [Fact]
    public void Workers_that_began_one_after_the_other_tell_as_much()
    {
        // One a gate tick pair for forty seconds: at the first completions most items are not half done.
        var run = Fit(workers: 40, runMs: 30_000, samples: 36, spacingMs: 1000.6);
        Assert.InRange(run.Ms, 28_500, 31_500);
    }

    [Theory]
    [InlineData(5000.4, 5000.4)]
    [InlineData(3100.0, null)]
    public void The_moment_of_the_first_completion_tells_the_length_where_the_heartbeats_agree(double endedMs, double? runMs)
    {
        var (tracker, pool) = (new RunTimeTracker(), new FifoPool(8, Enumerable.Repeat(0.0, 100), _ => 5000.4));
        tracker.Take(new(FifoPool.At(-300), BeatMs, 0, 0, 0, 0), 0);
        for (var worker = 0; worker < 8; worker++)
        {
            tracker.Started(FifoPool.At(0));
        }

        for (var at = 700.0; at < 6000; at += BeatMs)
        {
            if (endedMs > at - BeatMs && endedMs <= at)
            {
                tracker.Ended(FifoPool.At(endedMs));
            }

            tracker.Take(pool.Sample(at, BeatMs), 8);
        }

        var run = tracker.RunTime!;
        Assert.Equal(runMs is not null, run.HighMs - run.LowMs < 20);
        Assert.InRange(run.Ms, runMs ?? 4000, runMs ?? 6000);
    }

    [Fact]
    public void Nothing_completed_says_nothing() => Assert.Null(TryFit(8, 5000, 4, 1));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Items_of_various_lengths_are_measured_by_their_mean(int seed)
    {
        var random = new Random(seed);
        // From a tenth to twice the mean: nothing is in step after a few of them.
        var pool = new FifoPool(8, Enumerable.Repeat(0.0, 2000), _ => 400 * (0.1 + 1.8 * random.NextDouble()));
        var tracker = new RunTimeTracker();
        Feed(tracker, pool, 8, 30);
        Assert.InRange(tracker.RunTime!.Ms, 400 * 0.88, 400 * 1.12);
    }

    [Fact]
    public void A_backlog_that_was_gone_begins_anew()
    {
        var tracker = new RunTimeTracker();
        Feed(tracker, new FifoPool(8, Enumerable.Repeat(0.0, 2000), _ => 400), 8, 10);
        Assert.NotNull(tracker.RunTime);
        tracker.Take(new(FifoPool.At(10_000), BeatMs, 8, QueueLength: 0, Completed: 12, 0.1), 8);
        Assert.Null(tracker.RunTime);
        Assert.Empty(tracker.Phases);
    }

    static void Feed(RunTimeTracker tracker, FifoPool pool, int workers, int samples)
    {
        tracker.Take(new(FifoPool.At(-300), BeatMs, 0, 0, 0, 0), 0);
        for (var worker = 0; worker < workers; worker++)
        {
            tracker.Started(FifoPool.At(0));
        }

        for (var sample = 1; sample <= samples; sample++)
        {
            tracker.Take(pool.Sample(BeatMs * sample - 300, BeatMs), workers);
        }
    }

    static RunTime Fit(int workers, double runMs, int samples, double spacingMs) => TryFit(workers, runMs, samples, spacingMs)!;

    static RunTime? TryFit(int workers, double runMs, int samples, double spacingMs)
    {
        var phases = Enumerable.Range(0, workers).Select(w => new ItemStart(FifoPool.At(w * spacingMs), Known: true)).ToArray();
        double Completed(double at) => phases.Sum(p => Math.Max(0, Math.Floor(FifoPool.At(at).MsSince(p.At) / runMs)));
        int Working(double at) => phases.Count(p => p.At <= FifoPool.At(at));
        RunTime? run = null;
        for (var last = 1; last <= samples; last++)
        {
            var counts = Enumerable.Range(1, last).Select(b => BeatMs * b - 480)
                .Select(at => new CompletedUpTo(FifoPool.At(at), Completed(at), Working(at)))
                .Prepend(new CompletedUpTo(FifoPool.At(0), 0, 1)).ToArray();
            run = RunTimeFit.Of([.. phases.Where(p => p.At <= counts[^1].At)], counts) ?? run;
        }

        return run;
    }
}
