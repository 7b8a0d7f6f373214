using System.Collections.Immutable;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>What a world in which a law fails is made smaller to: fewer items, shorter, simpler.</summary>
static class SmallerWorlds
{
    public static IEnumerable<PoolWorld> Of(PoolWorld world) =>
        Fewer(world).Concat(Shorter(world)).Concat(Simpler(world)).Where(smaller => smaller != world);

    static IEnumerable<PoolWorld> Fewer(PoolWorld world)
    {
        foreach (var loads in Without(world.Loads))
        {
            yield return world with { Loads = loads };
        }

        foreach (var calls in Without(world.Calls))
        {
            yield return world with { Calls = calls };
        }

        foreach (var climbs in Without(world.Climbs))
        {
            yield return world with { Climbs = climbs };
        }

        for (var i = 0; i < world.Loads.Length; i++)
        {
            foreach (var load in Smaller(world.Loads[i]))
            {
                yield return world with { Loads = world.Loads.SetItem(i, load) };
            }
        }
    }

    static IEnumerable<PoolWorld> Shorter(PoolWorld world) =>
        Towards(world.Seconds, 2).Select(seconds => world with { Seconds = seconds });

    static IEnumerable<PoolWorld> Simpler(PoolWorld world) =>
    [
        world with { AttachMs = 0 },
        world with { Max = PoolWorld.NoMax },
        world with { Compensates = true },
        world with { NoiseMs = 0, ClockStepMs = 1 },
        world with { SkewMs = 0 },
        world with { Order = default },
        world with { BeatMs = 1000, FirstBeatMs = 100 },
        world with { BeatMs = 1000 },
        world with { Min = Math.Min(world.Min, world.Processors) },
        .. Towards(world.Min, 1).Select(min => world with { Min = (int)min }),
        .. Towards(world.Processors, 1).Select(count => world with { Processors = (int)count }),
        .. Towards(world.AttachMs, 0).Select(attach => world with { AttachMs = attach }),
    ];

    static IEnumerable<Load> Smaller(Load load) =>
    [
        .. Towards(load.Count, 1).Select(count => load with { Count = (int)count }),
        .. Towards(load.Children, 0).Select(count => load with { Children = (int)count }),
        .. Towards(load.Grandchildren, 0).Select(count => load with { Grandchildren = (int)count }),
        .. load.By == Holds.Sleep ? [] : new[] { load with { By = Holds.Sleep } },
        .. Towards(load.AtMs, 0).Select(at => load with { AtMs = at }),
        .. Towards(load.EveryMs, 0).Select(every => load with { EveryMs = every }),
        .. Towards(load.HoldMs, 1).Select(hold => load with { HoldMs = hold }),
    ];

    static IEnumerable<ImmutableArray<T>> Without<T>(ImmutableArray<T> all) => Enumerable.Range(0, all.Length).Select(all.RemoveAt);

    /// <summary>The least, half way to it, a quarter less, and one less; whole numbers.</summary>
    static IEnumerable<double> Towards(double from, double least) => from <= least ? []
        : new[] { least, Math.Floor((from + least) / 2), Math.Floor(from - (from - least) / 4), Math.Ceiling(from) - 1 }
            .Where(to => to < from && to >= least).Distinct();
}
