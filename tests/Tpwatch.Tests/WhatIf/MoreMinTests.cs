using Tpwatch.Pool;
using Tpwatch.WhatIf;
using static Tpwatch.Tests.Properties.Seeds;
using static Tpwatch.Tests.WhatIf.Lives;
using static Tpwatch.Tests.WhatIf.Worlds;

namespace Tpwatch.Tests.WhatIf;

/// <summary>
/// More min starts no item later: true of a burst of like items under every policy, and of any burst under those that do not look at
/// dequeues. It is no law beyond that, and two examples say why; so a what-if of min must be run and not assumed.
/// </summary>
public sealed class MoreMinTests
{
    // A new worker takes half a millisecond where an idle one takes none.
    const double StartMs = 1;

    [Fact]
    public void In_a_burst_of_like_items_none_starts_later_under_any_policy() => Holds(
        EveryPolicy,
        items => Array.ConvertAll(items, item => item with
        {
            Queued = At(0),
            RunMs = 0,
            BlockMs = items[0].BlockMs,
            Blocking = items[0].Blocking,
        }));

    [Fact]
    public void In_a_burst_of_any_items_none_starts_later_before_Net_4() => Holds(
        [.. EveryPolicy.Where(policy => policy.Name is "Rotor" or "1.1" or "3.5")],
        items => Array.ConvertAll(items, item => item with { Queued = At(0), RunMs = 0 }));

    [Fact]
    public void Held_for_ever_none_starts_later_under_any_policy() => Assert.All(EveryPolicy, policy =>
    {
        foreach (var hold in new[] { Hold.Unseen, Hold.TaskWait })
        {
            var (less, more) = (HeldForEver(policy.New(), new(4, 4, 100), hold), HeldForEver(policy.New(), new(4, 9, 100), hold));
            Assert.True(NoneLater(less, more), $"{policy.Name}, {hold}");
        }
    });

    /// <summary>Two workers that take turns every 450 ms keep the detector asleep for good, where one alone leaves it 900.</summary>
    [Fact]
    public void A_second_worker_can_silence_the_detector()
    {
        SimulatedItem[] items = [Item(900), Item(1_350), .. Enumerable.Repeat(Item(900), 58)];
        var one = PoolSimulator.Of(new PortablePolicy(GateClock.Ideal), new(new(1, 1, 100), At(600_000)), items);
        var two = PoolSimulator.Of(new PortablePolicy(GateClock.Ideal), new(new(1, 2, 100), At(600_000)), items);

        Assert.Equal(2, two.Curve[^1].Workers);
        Assert.True(one.Curve[^1].Workers > 2);
        Assert.True(one.TotalMs < two.TotalMs, $"{one.TotalMs} ms with one, {two.TotalMs} with two");
    }

    /// <summary>
    /// A load that the larger pool just bears makes the smaller one grow beyond it, so that it meets the burst with more workers.
    /// </summary>
    [Fact]
    public void A_load_that_min_bears_leaves_fewer_workers_for_a_burst()
    {
        var load = Enumerable.Range(0, 800).Select(index => Item(95) with { Queued = At(100 * (index / 8)) });
        SimulatedItem[] items = [.. load, .. Enumerable.Repeat(Item(8_000) with { Queued = At(20_000) }, 20)];
        var less = PoolSimulator.Of(new NetFramework11Policy(), new(new(1, 1, 100), At(600_000)), items);
        var more = PoolSimulator.Of(new NetFramework11Policy(), new(new(1, 8, 100), At(600_000)), items);

        Assert.True(less.WorkersAt(At(19_999)) > more.WorkersAt(At(19_999)));
        Assert.False(NoneLater(less, more));
    }

    static SimulatedItem Item(double blockMs) => new(At(0), 0, blockMs);

    static bool NoneLater(SimulationResult less, SimulationResult more) => less.Items.Zip(more.Items).All(pair =>
        pair.First.Started is not { } before || pair.Second.Started <= before.PlusMs(StartMs));

    static void Holds((string Name, double CheckMs, Func<IInjectionPolicy> New)[] policies, Func<SimulatedItem[], SimulatedItem[]> burst)
    {
        var sooner = 0;
        ForAnySeed(seed =>
        {
            var random = new Random(seed);
            var settings = AnySettings(random) with { Max = 1_000 };
            var larger = settings with { Min = settings.Min + random.Next(1, 8) };
            var items = burst(AnyItems(random));
            return policies.All(policy =>
            {
                var (less, more) = (Live(policy.New, settings, items), Live(policy.New, larger, items));
                sooner += more.TotalMs < less.TotalMs ? 1 : 0;
                return NoneLater(less, more);
            });
        });
        Assert.True(sooner > 200, $"more min made a difference {sooner} times only");
    }
}
