using FsCheck;
using FsCheck.Fluent;
using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Properties.Generators;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Properties;

/// <summary>What is advised can be done, changes something, and helps: tried in the very world for which it was advised.</summary>
public sealed class AdviceLaw
{
    /// <summary>Of two lives whose ticks fall otherwise a little may differ.</summary>
    const double Luck = 1.1;

    const double NothingMs = 20;

    [Fact]
    public void The_min_that_is_advised_is_larger_than_the_one_there_is_and_no_larger_than_max()
    {
        var advised = 0;
        ForAny(Independent, world =>
        {
            if (MinThreadsRemedy.Advised(Report(PoolLife.Of(world))) is { } min)
            {
                advised++;
                Assert.True(min > world.Min && min <= world.Max, $"min {min} is advised, where min is {world.Min} and max {world.Max}");
            }
        }, tests: 300);
        Assert.True(advised > 50, $"min was advised {advised} times only");
    }

    [Fact]
    public void With_the_min_that_is_advised_items_wait_no_longer()
    {
        var shorter = 0;
        ForAny(Independent, world =>
        {
            var before = PoolLife.Of(world);
            var report = Report(before);
            if (report.Verdict is Verdict.Starved or Verdict.SilentlyStarved && MinThreadsRemedy.Advised(report) is { } min)
            {
                var (was, now) = (MeanWaitMs(before), MeanWaitMs(PoolLife.Of(world with { Min = min })));
                shorter += now < was / 2 ? 1 : 0;
                Assert.True(now <= was * Luck + NothingMs,
                    FormattableString.Invariant($"with min {min} items wait {now:0} ms, without {was:0} ms"));
            }
        }, tests: 300);
        Assert.True(shorter > 20, $"the advice halved the wait {shorter} times only");
    }

    static PoolReport Report(PoolLife life) => Folded.Report(life.Target, life.Facts);

    static double MeanWaitMs(PoolLife life) =>
        life.Items.Select(item => item.WaitedMs(life.World.Seconds * 1000)).DefaultIfEmpty().Average();

    /// <summary>
    /// Items that do not need each other, on a pool whose limits are seen. Of one that was attached to late max is not known; a lock gives
    /// nothing to more workers, and counters do not tell it from a sleep.
    /// </summary>
    static Arbitrary<PoolWorld> Independent { get; } =
        Arb.From(PoolWorlds.Flat.Generator.Select(Made), world => PoolWorlds.Flat.Shrinker(world).Select(Made));

    static PoolWorld Made(PoolWorld world) => world with
    {
        AttachMs = 0,
        Calls = [],
        Climbs = [],
        Loads = [.. world.Loads.Select(load => load.By is Holds.Lock or Holds.Processor ? load with { By = Holds.Sleep } : load)],
    };
}
