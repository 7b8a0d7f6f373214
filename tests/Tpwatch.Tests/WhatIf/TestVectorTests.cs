using Tpwatch.Pool;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.WhatIf;

/// <summary>
/// Workers after 1, 2, 5, 10, 20, 30, 60 and 120 s, all held for ever from 0 on, the queue never empty; computed from the published
/// formulas by other means than this code. The rows of the 15.6 ms clock are a hypothesis: no Windows machine was measured.
/// </summary>
public sealed class TestVectorTests
{
    /// <summary>From an injection to its worker's first item, as measured, milliseconds.</summary>
    const double Usual = GateTiming.InjectionToDequeue;

    static readonly int[] Seconds = [1, 2, 5, 10, 20, 30, 60, 120];

    /// <summary>The pools that the rows below are of; several where they do the same.</summary>
    static readonly Dictionary<string, (IInjectionPolicy Policy, Hold Hold, double StartMs)[]> Pools = new()
    {
        ["Rotor on ticks of 500 ms"] = [(new RotorPolicy(), Hold.Unseen, Usual)],
        ["hypothesis: Rotor on Windows ticks"] = [(new RotorPolicy(GateClock.WindowsHypothesis), Hold.Unseen, Usual)],
        ["1.1: one each 500 ms up to 25 a processor"] = [(new NetFramework11Policy(), Hold.Unseen, Usual)],
        ["3.5: fifteen quickly and then ever more slowly"] = [(new NetFramework35Policy(), Hold.Unseen, Usual)],
        ["blocked unseen on an ideal clock: one a second"] =
        [
            (new NativePolicy(GateClock.Ideal), Hold.Unseen, Usual), (new PortablePolicy(GateClock.Ideal), Hold.Unseen, Usual),
            (new NativePolicy(GateClock.Ideal), Hold.TaskWait, Usual),
        ],
        ["hypothesis: blocked unseen on Windows, one a tick"] =
        [
            (new NativePolicy(GateClock.WindowsHypothesis), Hold.Unseen, Usual),
            (new PortablePolicy(GateClock.WindowsHypothesis), Hold.Unseen, Usual),
        ],
        ["computing: as many seconds as workers"] =
            [(new NativePolicy(GateClock.Ideal), Hold.Computing, Usual), (new PortablePolicy(GateClock.Ideal), Hold.Computing, Usual)],
        ["task waits on ideal timers"] = [(new PortablePolicy(GateClock.Ideal), Hold.TaskWait, 0)],
        ["hypothesis: task waits on Windows timers"] = [(new PortablePolicy(GateClock.WindowsHypothesis), Hold.TaskWait, 0)],
    };

    [Theory]
    [InlineData("Rotor on ticks of 500 ms", 8, 9, 10, 13, 17, 23, 26, 33, 41)]
    [InlineData("Rotor on ticks of 500 ms", 4, 5, 6, 9, 13, 19, 22, 29, 37)]
    [InlineData("Rotor on ticks of 500 ms", 1, 2, 3, 6, 10, 16, 19, 25, 25)]
    [InlineData("hypothesis: Rotor on Windows ticks", 8, 9, 10, 13, 17, 22, 26, 33, 41)]
    [InlineData("hypothesis: Rotor on Windows ticks", 4, 5, 6, 9, 13, 18, 22, 29, 37)]
    [InlineData("1.1: one each 500 ms up to 25 a processor", 8, 10, 12, 18, 28, 48, 68, 128, 200)]
    [InlineData("1.1: one each 500 ms up to 25 a processor", 1, 3, 5, 11, 21, 25, 25, 25, 25)]
    // Thirteen fast ticks from 2 to 15 end at 6.5 s; then one more each 500 ms × 1.1^k, rounded up to more than that in ticks.
    [InlineData("3.5: fifteen quickly and then ever more slowly", 2, 4, 6, 12, 18, 26, 31, 39, 47)]
    [InlineData("blocked unseen on an ideal clock: one a second", 8, 8, 9, 12, 17, 27, 37, 67, 127)]
    [InlineData("blocked unseen on an ideal clock: one a second", 4, 4, 5, 8, 13, 23, 33, 63, 123)]
    [InlineData("hypothesis: blocked unseen on Windows, one a tick", 8, 9, 11, 17, 27, 46, 66, 124, 240)]
    [InlineData("hypothesis: blocked unseen on Windows, one a tick", 4, 5, 7, 13, 23, 42, 62, 120, 236)]
    [InlineData("computing: as many seconds as workers", 8, 8, 8, 8, 9, 10, 11, 13, 17)]
    [InlineData("computing: as many seconds as workers", 4, 4, 4, 5, 5, 7, 8, 11, 16)]
    [InlineData("task waits on ideal timers", 8, 37, 48, 68, 92, 132, 172, 292, 532)]
    [InlineData("task waits on ideal timers", 4, 24, 31, 46, 66, 106, 146, 266, 506)]
    [InlineData("hypothesis: task waits on Windows timers", 8, 35, 45, 66, 90, 130, 170, 290, 530)]
    public void Workers_held_for_ever_are_as_many_as_computed(string pool, int processors, params int[] workers) =>
        Assert.All(Pools[pool], one => Assert.Equal(workers, Worlds.HeldForEver(
            one.Policy, new(processors, processors, 32_767), one.Hold, one.StartMs).WorkersAt(Seconds)));

    /// <summary>
    /// measured.md section 2, runtime 10.0.12 on eight processors: 24 at 0.21 s, 32 at 0.61, 48
    /// at 2.03, 64 at 4.25, 88 at 9.06, 132 at 20.1.
    /// </summary>
    [Theory]
    [InlineData(24, 210)]
    [InlineData(32, 610)]
    [InlineData(48, 2_030)]
    [InlineData(64, 4_250)]
    [InlineData(88, 9_060)]
    [InlineData(132, 20_100)]
    public void Waiting_for_tasks_the_measured_table_holds_within_one_in_a_hundred(int workers, double measuredMs)
    {
        var result = Worlds.HeldForEver(new PortablePolicy(), new(8, 8, 32_767), Hold.TaskWait);

        // Each measured step is the model's plus 0.6 to 1.0 ms.
        var steps = workers - 16;
        var modelMs = result.Curve.First(point => point.Workers >= workers).At.MsSince(Worlds.At(0));
        Assert.InRange(measuredMs - modelMs, 0, steps * 1.0 + 12);
    }

    /// <summary>
    /// measured.md section 2, steps between adjustments on 10.0.12: eight processors 25.6 ms up to goal 24, 50.7 to 32, 75.7 to 40, 100.7
    /// to 48, 125.8 to 56, 150.8 to 64, then 175.8, 200.7, 225.7 and 250.7 to 251 for good; two processors 25.6 twice, 50.6 twice, 75.7
    /// twice, 250 from goal 23 on.
    /// </summary>
    [Theory]
    [InlineData(8, 24, 25.6)]
    [InlineData(8, 32, 50.7)]
    [InlineData(8, 40, 75.7)]
    [InlineData(8, 48, 100.7)]
    [InlineData(8, 56, 125.8)]
    [InlineData(8, 64, 150.8)]
    [InlineData(8, 72, 175.8)]
    [InlineData(8, 80, 200.7)]
    [InlineData(8, 88, 225.7)]
    [InlineData(8, 96, 250.8)]
    [InlineData(8, 132, 250.8)]
    [InlineData(2, 6, 25.6)]
    [InlineData(2, 8, 50.6)]
    [InlineData(2, 10, 75.7)]
    [InlineData(2, 24, 250.8)]
    public void Each_step_for_waits_for_tasks_is_the_measured_one_less_the_gates_own_millisecond(
        int processors, int targetThreads, double measuredMs)
    {
        var steps = Worlds.HeldForEver(new PortablePolicy(), new(processors, processors, 32_767), Hold.TaskWait).Adjustments;
        var reached = steps.Select((step, index) => (step.TargetThreads, index)).First(step => step.TargetThreads == targetThreads).index;

        Assert.InRange(measuredMs - steps[reached].At.MsSince(steps[reached - 1].At), 0.5, 1.1);
        Assert.Equal(1, steps[reached].TargetThreads - steps[reached - 1].TargetThreads);
    }

    /// <summary>
    /// measured.md section 1: of 100 items that sleep 5 s the pool stops growing at 11 workers after 9.5 s on two processors, at 17 after
    /// 9.0 s on eight, since those that end keep its detector asleep; the whole backlog takes 51 s and 35 s.
    /// </summary>
    [Theory]
    [InlineData(2, 11, 9_500, 51_000)]
    [InlineData(8, 17, 9_000, 35_000)]
    public void Growth_silences_itself_as_it_was_measured_to(int processors, int workers, double lastMs, double totalMs)
    {
        var burst = Enumerable.Repeat(new SimulatedItem(Worlds.At(0), 0, 5_000), 100).ToArray();
        var result = PoolSimulator.Of(
            new PortablePolicy(GateClock.LinuxMeasured), new(new(processors, processors, 32_767), Worlds.At(600_000)), burst);

        Assert.Equal(workers, result.Curve[^1].Workers);
        Assert.Equal(lastMs, result.Adjustments[^1].At.Milliseconds, 600.0);
        Assert.Equal(totalMs, result.TotalMs!.Value, 1_100.0);
    }
}
