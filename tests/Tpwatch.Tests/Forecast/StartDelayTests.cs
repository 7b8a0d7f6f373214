using Tpwatch.Reports;

namespace Tpwatch.Tests.Forecast;

/// <summary>What is said of an item queued now, beside the truth of a pool that is computed in full.</summary>
public sealed class StartDelayTests
{
    const double BeatMs = 1000;

    [Theory]
    // The numbers of the articles' experiments.
    [InlineData(10, 1000, 10, 500, 0.03)]
    [InlineData(20, 1000, 10, 500, 0.05)]
    [InlineData(10, 1000, 0, 500, 0.03)]
    [InlineData(200, 1000, 0, 500, 0.12)]
    [InlineData(4, 100, 0, 5000, 0.05)]
    [InlineData(40, 400, 100, 30000, 0.05)]
    public void Once_items_end_the_estimate_lies_within_a_tenth_of_the_truth(
        int workers, int items, double everyMs, double runMs, double within)
    {
        var said = Watch(workers, new(workers, Arrivals(items, everyMs), _ => runMs));
        var errors = said.Where(s => s.Said.EstimateMs is not null)
            .Select(s => Math.Abs(s.Said.EstimateMs!.Value - s.Truth) / s.Truth).Order().ToArray();
        Assert.NotEmpty(errors);
        Assert.True(errors[errors.Length / 2] <= within, $"median error {errors[errors.Length / 2]:0.000} over {errors.Length} heartbeats");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Items_of_various_lengths_are_estimated_too(int seed)
    {
        var random = new Random(seed);
        var said = Watch(10, new(10, Arrivals(800, 10), _ => 500 * (0.2 + 1.6 * random.NextDouble())));
        var errors = said.Where(s => s.Said.EstimateMs is not null)
            .Select(s => Math.Abs(s.Said.EstimateMs!.Value - s.Truth) / s.Truth).Order().ToArray();
        Assert.InRange(errors[errors.Length / 2], 0, 0.10);
    }

    [Theory]
    [InlineData(10, 400, 50, 30_000)]
    [InlineData(4, 60, 0, 5_000)]
    [InlineData(1, 5, 0, 9_000)]
    public void Before_anything_ends_a_lower_bound_is_said_that_holds_and_grows(int workers, int items, double everyMs, double runMs)
    {
        var pool = new FifoPool(workers, Arrivals(items, everyMs), _ => runMs);
        var bounds = Watch(workers, pool, pool.FirstEnd + 2 * BeatMs).Where(s => s.Said.EstimateMs is null).ToArray();
        Assert.NotEmpty(bounds);
        Assert.All(bounds, s => Assert.InRange(s.Said.MinMs, 0, s.Truth));
        Assert.All(bounds, s => Assert.Null(s.Said.MaxMs));
        Assert.Equal(bounds.Select(s => s.Said.MinMs).Order(), bounds.Select(s => s.Said.MinMs));
        Assert.All(bounds, s => Assert.StartsWith("A lower bound:", s.Said.Basis, StringComparison.Ordinal));
    }

    [Fact]
    public void The_band_holds_the_truth_while_items_run_equally_long()
    {
        var said = Watch(10, new(10, Arrivals(600, 10), _ => 500)).Where(s => s.Said.EstimateMs is not null).ToArray();
        Assert.All(said, s => Assert.InRange(s.Said.EstimateMs!.Value, s.Said.MinMs, s.Said.MaxMs!.Value));
        Assert.True(said.Count(s => s.Truth >= s.Said.MinMs - 50 && s.Truth <= s.Said.MaxMs + 50) >= 0.9 * said.Length);
    }

    [Fact]
    public void Arrivals_that_outrun_the_workers_never_end_and_are_gone_when_they_stop()
    {
        // Ten workers take 20 a second, 100 arrive: for ten seconds, then none.
        var pool = new FifoPool(10, Arrivals(1000, 10), _ => 500);
        var tracker = pool.Counted();
        var gone = new List<(double At, QueueEmpty Said)>();
        for (var at = 700.0; pool.QueueLengthAt(at) > 0; at += BeatMs)
        {
            tracker.Take(pool.Sample(at, BeatMs), FifoPool.State(10));
            gone.Add((at, tracker.Gone!));
        }

        Assert.All(gone.Where(g => g.At is > 3000 and < 9000), g => Assert.True(g.Said.Never, g.Said.Basis));
        Assert.All(gone.Where(g => g.At > 20_000), g => Assert.InRange(g.Said.At!.Value.MsSince(FifoPool.At(pool.LastStart)), -1500, 1500));
    }

    [Fact]
    public void Nothing_is_said_while_nothing_waits_or_after_a_loss()
    {
        var pool = new FifoPool(10, Arrivals(600, 10), _ => 500);
        var tracker = pool.Counted();
        Assert.Null(tracker.StartDelay);
        tracker.Take(pool.Sample(700, BeatMs), FifoPool.State(10));
        tracker.Take(pool.Sample(1700, BeatMs), FifoPool.State(10));
        Assert.NotNull(tracker.StartDelay!.EstimateMs);
        tracker.Forget();
        Assert.Null(tracker.StartDelay);
        tracker.Take(pool.Sample(2700, BeatMs), FifoPool.State(10));
        Assert.Null(tracker.StartDelay!.EstimateMs);
    }

    static List<(QueueTimeForecast Said, double Truth)> Watch(int workers, FifoPool pool, double until = double.MaxValue)
    {
        var tracker = pool.Counted();
        var said = new List<(QueueTimeForecast, double)>();
        for (var at = 700.0; at < Math.Min(until, pool.LastStart); at += BeatMs)
        {
            tracker.Take(pool.Sample(at, BeatMs), FifoPool.State(workers));
            if (tracker.StartDelay is { } delay && pool.DelayAt(at) > 100)
            {
                said.Add((delay, pool.DelayAt(at)));
            }
        }

        return said;
    }

    static IEnumerable<double> Arrivals(int items, double everyMs) => Enumerable.Range(0, items).Select(i => i * everyMs);
}
