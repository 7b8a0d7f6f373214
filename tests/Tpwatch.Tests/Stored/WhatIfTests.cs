using System.Globalization;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.Stored;

/// <summary>
/// A change is imagined from one run and compared with another that really had it: the same arrivals, both recorded, the truth from the
/// other's own record. From the items' own times total, latency and workers come out within one in twenty or 5 ms and one worker; from
/// counters within 15 %.
/// </summary>
public sealed class WhatIfTests(ITestOutputHelper output)
{
    /// <summary>A difference below this is none, milliseconds.</summary>
    const double NothingMs = 5;

    const double ExactShare = 0.05;

    /// <summary>Counters tell one kind of item and a second at a time.</summary>
    const double CountedShare = 0.15;

    const double CountedMs = 30;

    [Fact]
    public Task A_burst_with_min_100() => CompareAsync("pool-burst.two", Blocking.Unseen, new() { Min = 100 }, "pool-burst-min-100.two");

    [Fact]
    public Task Capped_items_with_ten_workers() =>
        CompareAsync("capped-blocking.two", Blocking.Unseen, new() { Min = 10, Max = 10 }, "capped-blocking-min-10.two");

    [Fact]
    public Task Capped_items_with_twenty_workers() =>
        CompareAsync("capped-blocking.two", Blocking.Unseen, new() { Min = 20, Max = 20 }, "capped-blocking.two-twenty");

    [Fact]
    public Task Capped_items_that_await() =>
        CompareAsync("capped-blocking.two", Blocking.Unseen, new() { Async = true }, "async-items.two");

    [Fact]
    public Task Waits_for_tasks_with_a_min_for_them_all() =>
        CompareAsync("sync-over-async.two", Blocking.PoolTask, new() { Min = 70 }, "sync-over-async.two-min-70");

    async Task CompareAsync(string seen, Blocking blocking, WhatIfChange change, string really)
    {
        var (run, real) = (await StoredRuns.OfAsync(seen), (await StoredRuns.OfAsync(really)).Truth);
        var exact = Answer(run, new TruthItems(run.Truth, blocking), change, "exact", real);
        var counted = Answer(run, new EstimatedItems(), change, "counters", real);
        string[] misses = [.. Misses(exact, real, 1, (ExactShare, NothingMs)),
            .. Misses(counted, real, 1 + (int)(Workers(real) * CountedShare), (CountedShare, CountedMs))];
        Assert.Empty(misses);
    }

    WhatIfFigures Answer(ObservedRun run, IItemSource source, WhatIfChange change, string name, RunTruth real)
    {
        var answer = WhatIfStudy.Of(run.Report, source, out var missing)?.Answer(change);
        Assert.True(answer is not null, missing);
        var simulated = answer.Simulated;
        output.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{change.Words}, {name}: total {simulated.TotalMs:0.0} / {real.TotalMs():0.0} ms, latency {simulated.LatencyMs:0.0} / "
                + $"{Latency(real):0.0} ms, workers {simulated.PeakWorkers} / {Workers(real)} ({answer.Uncertainty})"));
        return simulated;
    }

    static IEnumerable<string> Misses(WhatIfFigures simulated, RunTruth real, int workersOff, (double Share, double Ms) within)
    {
        bool Near(double? said, double really) => Math.Abs((said ?? 0) - really) <= Math.Max(within.Ms, really * within.Share);
        if (!Near(simulated.TotalMs, real.TotalMs()!.Value))
        {
            yield return $"total {simulated.TotalMs} ms, really {real.TotalMs()} ms";
        }

        if (!Near(simulated.LatencyMs, Latency(real)))
        {
            yield return $"latency {simulated.LatencyMs} ms, really {Latency(real)} ms";
        }

        if (Math.Abs((simulated.PeakWorkers ?? 0) - Workers(real)) > workersOff)
        {
            yield return $"{simulated.PeakWorkers} workers, really {Workers(real)}";
        }
    }

    static double Latency(RunTruth truth) => truth.Items.Average(item => truth.Ms(item.Enqueued, item.Ended!.Value));

    static int Workers(RunTruth truth) => truth.Appearances().Length;
}
