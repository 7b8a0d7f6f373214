using Tpwatch.Explain.WhatIf;
using Tpwatch.Explain.WhatIf.Study;
using Tpwatch.Fixtures.Truth;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>A change is imagined from an observed run, then really made: from exact items the two are the same within one in twenty or 5 ms and workers within one.</summary>
public sealed class WhatIfTests(ITestOutputHelper output)
{
    /// <summary>Of so many real runs the one in the middle counts: the machine is not ours alone.</summary>
    const int RealRuns = 3;

    static readonly TimeSpan Apart = TimeSpan.FromSeconds(1);

    static readonly string[] Burst = ["pool-burst", "--processors", "2", "--items", "20"];
    static readonly string[] Capped = ["capped-blocking", "--processors", "2", "--items", "150"];
    static readonly string[] Waits = ["sync-over-async", "--processors", "2", "--items", "60", "--hold", "2000", "--seconds", "60"];

    [Fact(Timeout = 180_000)]
    public async Task A_burst_with_min_100() => await CompareAsync(
        Burst, Blocking.Unseen, (new() { Min = 100 }, [.. Burst, "--min", "100"]));

    [Fact(Timeout = 240_000)]
    public async Task Capped_items_with_ten_workers_with_twenty_and_async() => await CompareAsync(
        Capped, Blocking.Unseen,
        (new() { Min = 10, Max = 10 }, [.. Capped, "--min", "10"]),
        (new() { Min = 20, Max = 20 }, [.. Capped, "--min", "20", "--max", "20"]),
        (new() { Async = true }, ["async-items", "--processors", "2", "--items", "150", "--min", "2", "--max", "10"]));

    [Fact(Timeout = 180_000)]
    public async Task Waits_for_tasks_with_a_min_for_them_all() => await CompareAsync(
        Waits, Blocking.PoolTask, (new() { Min = 70 }, [.. Waits, "--min", "70"]));

    async Task CompareAsync(string[] arguments, Blocking blocking, params (WhatIfChange Change, string[] Really)[] changes)
    {
        var cancel = TestContext.Current.CancellationToken;
        var run = await ObservedRun.OfAsync(TargetRuntime.Net10, cancel, arguments);
        (string Name, IItemSource Source)[] sources = [(Forecasted.Exact, new TruthItems(run.Truth, blocking)), ("counters", new CounterItems())];
        var misses = new List<string>();
        foreach (var (change, really) in changes)
        {
            var real = await RealAsync(really, cancel);
            foreach (var (name, source) in sources)
            {
                var answer = WhatIfStudy.Of(run.Report, source, out var missing)?.Answer(change);
                Assert.True(answer is not null, missing);
                var outcome = new Forecasted(change.Words, name, answer.Imagined, real);
                output.WriteLine(outcome.Line + $" ({answer.Uncertainty})");
                misses.AddRange(outcome.Misses());
            }
        }

        Assert.True(misses.Count == 0, string.Join('\n', misses));
    }

    // All sleep nearly all the time, so that they can run at once; each begins when the one before has got over its first moments.
    static async Task<IReadOnlyList<RunTruth>> RealAsync(string[] arguments, CancellationToken cancel)
    {
        var targets = await Task.WhenAll(Enumerable.Range(0, RealRuns).Select(_ => FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, arguments)));
        return await Task.WhenAll(targets.Select(async (target, i) =>
        {
            await using (target)
            {
                await Task.Delay(i * Apart, cancel);
                await target.BeginAsync();
                return await target.TruthAsync(cancel);
            }
        }));
    }
}
