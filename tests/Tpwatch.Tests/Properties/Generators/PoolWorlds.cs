using System.Collections.Immutable;
using FsCheck;
using FsCheck.Fluent;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>
/// Any world: bursts and streams of items of any kind on any pool, attached to early or late, counters read in any order.
/// </summary>
static class PoolWorlds
{
    static readonly Gen<Holds> Kinds = Gen.Frequency(
        (4, Gen.Constant(Holds.Sleep)), (3, Gen.Constant(Holds.Task)), (1, Gen.Constant(Holds.Processor)), (1, Gen.Constant(Holds.Lock)));

    static readonly Gen<double> HoldMs = Gen.OneOf(Whole(1, 20), Whole(50, 900), Whole(500, 6000), Gen.Elements(250.0, 500, 1000, 2000));

    /// <summary>At once, a few a second, many a second.</summary>
    static readonly Gen<double> EveryMs = Gen.OneOf(Gen.Constant(0.0), Whole(200, 1500), Whole(5, 200));

    static readonly Gen<Load> Loads =
        from at in Gen.OneOf(Whole(0, 12_000), Whole(0, 12).Select(second => second * 1000))
        from count in Gen.OneOf(Gen.Choose(1, 10), Gen.Choose(1, 80))
        from every in EveryMs
        from kind in Kinds
        from hold in HoldMs
        select new Load(at, count, every, kind, hold);

    /// <summary>Many items that are over at once.</summary>
    static readonly Gen<Load> Dust =
        from at in Whole(0, 12).Select(second => second * 1000)
        from count in Gen.Choose(50, 1500)
        from hold in Gen.Elements(0.01, 0.02, 0.05, 0.2, 1)
        select new Load(at, count, 0, Holds.Processor, hold);

    static readonly Gen<Load> Nested =
        from load in Loads
        from children in Gen.Choose(1, 12)
        from grandchildren in Gen.Choose(0, 4)
        select load with
        {
            Count = Math.Min(load.Count, 12),
            HoldMs = Math.Min(load.HoldMs, 800),
            Children = children,
            Grandchildren = grandchildren,
        };

    static readonly Gen<PoolWorld> Pools =
        from processors in Gen.Choose(1, 8)
        from min in Gen.Frequency((3, Gen.Constant(processors)), (1, Gen.Choose(1, 20)))
        from max in Gen.Frequency(
            (3, Gen.Constant(PoolWorld.NoMax)), (1, Gen.Choose(0, 12).Select(more => Math.Max(processors, min) + more)))
        from seconds in Gen.Choose(3, 25)
        from compensates in Gen.Frequency((4, Gen.Constant(true)), (1, Gen.Constant(false)))
        from clock in Gen.Elements(1, 4, 15.625)
        from noise in Gen.Choose(0, 3)
        select new PoolWorld(processors, min, max, seconds) { Compensates = compensates, ClockStepMs = clock, NoiseMs = noise / 10.0 };

    static readonly Gen<PoolWorld> Watched =
        from pool in Pools
        from attach in Gen.Frequency((2, Gen.Constant(0.0)), (1, Whole(1, 10_000)))
        from sample in Gen.Frequency((4, Gen.Constant(1000.3)), (1, Gen.Elements(1000.0, 250.2, 2000.4)))
        from first in Whole(1, 1000)
        from order in Gen.Choose(0, 5)
        from skew in Gen.Choose(0, 2)
        select pool with { AttachMs = attach, BeatMs = sample, FirstBeatMs = first, Order = (ReadingOrder)order, SkewMs = skew / 10.0 };

    static readonly Gen<PoolWorld> Moved =
        from world in Watched
        from calls in Rarely(from at in Whole(0, 10_000)
                             from more in Gen.Choose(0, 20)
                             select new LimitCall(at, world.Min + more, Math.Max(world.Max, world.Min + more)))
        from climbs in Rarely(from at in Whole(0, 15_000) from step in Gen.Elements(-2, -1, 1, 2) select new Climb(at, step))
        select world with { Calls = calls, Climbs = climbs };

    /// <summary>One item a worker at a time.</summary>
    public static Arbitrary<PoolWorld> Flat { get; } = With(Loads);

    /// <summary>The same with many items that are over within a heartbeat's reading, and heartbeats that fall on their arrival.</summary>
    public static Arbitrary<PoolWorld> Dusty { get; } = Arb.From(
        from world in With(Gen.Frequency((2, Dust), (1, Loads))).Generator
        from off in Gen.Choose(-10, 200)
        let dust = world.Loads.FirstOrDefault(load => load.EveryMs == 0)
        select world with { BeatMs = 1000, FirstBeatMs = ((dust.AtMs + off / 10.0 - world.AttachMs) % 1000 + 1000) % 1000 },
        SmallerWorlds.Of);

    public static Arbitrary<PoolWorld> DustyCompletedFirst { get; } = Arb.From(
        from world in Dusty.Generator
        from order in Gen.Elements(
            ReadingOrder.WorkersCompletedQueue, ReadingOrder.CompletedWorkersQueue, ReadingOrder.CompletedQueueWorkers)
        select world with { Order = order },
        world => SmallerWorlds.Of(world).Where(smaller => smaller.Order == world.Order));

    /// <summary>Items that queue others and run them inline while they wait for them.</summary>
    public static Arbitrary<PoolWorld> Nesting { get; } = With(Gen.Frequency((2, Nested), (1, Loads)));

    static Arbitrary<PoolWorld> With(Gen<Load> load) => Arb.From(
        from world in Moved
        from count in Gen.Choose(1, 4)
        from loads in Gen.ArrayOf(load, count)
        select world with { Loads = [.. loads] },
        SmallerWorlds.Of);

    static Gen<double> Whole(int from, int to) => Gen.Choose(from, to).Select(number => (double)number);

    static Gen<ImmutableArray<T>> Rarely<T>(Gen<T> one) => Gen.Frequency(
        (5, Gen.Constant(ImmutableArray<T>.Empty)), (1, one.Select(made => ImmutableArray.Create(made))),
        (1, Gen.ArrayOf(one, 3).Select(made => made.ToImmutableArray())));
}
