using Tpwatch.Pool;
using Tpwatch.WhatIf;
using static Tpwatch.Tests.WhatIf.Worlds;

namespace Tpwatch.Tests.WhatIf;

/// <summary>Random arrivals, runs and waits, from a seed.</summary>
static class Lives
{
    public static readonly (string Name, double CheckMs, Func<IInjectionPolicy> New)[] EveryPolicy =
    [
        ("Rotor", 500, () => new RotorPolicy()),
        ("1.1", 500, () => new NetFramework11Policy()),
        ("3.5", 500, () => new NetFramework35Policy()),
        ("native", GateClock.Ideal.CheckMs, () => new NativePolicy(GateClock.Ideal)),
        ("native, Windows", GateClock.WindowsHypothesis.CheckMs, () => new NativePolicy(GateClock.WindowsHypothesis)),
        ("portable", GateClock.Ideal.CheckMs, () => new PortablePolicy(GateClock.Ideal)),
        ("portable as measured", GateTiming.AfterHold, () => new PortablePolicy()),
    ];

    public static SimulatedItem[] AnyItems(Random random) =>
    [
        .. Enumerable.Range(0, random.Next(1, 60)).Select(_ => new SimulatedItem(
            At(random.Next(3) == 0 ? 0 : random.Next(0, 20_000)),
            random.Next(3) == 0 ? random.Next(0, 3_000) : random.NextDouble(),
            random.Next(0, 8_000),
            random.Next(2) == 0 ? Blocking.Unseen : Blocking.TaskWait)),
    ];

    public static PoolSettings AnySettings(Random random)
    {
        var min = random.Next(1, 9);
        return new(random.Next(1, 9), min, random.Next(min, 40));
    }

    public static SimulationResult Live(Func<IInjectionPolicy> policy, PoolSettings settings, SimulatedItem[] items) =>
        PoolSimulator.Of(policy(), new(settings, At(3_600_000)), items);
}
