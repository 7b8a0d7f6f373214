using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using static Tpwatch.Tests.Ledger.Delays;

namespace Tpwatch.Tests.Ledger;

/// <summary>G6 and G7: the gate's ticks where task waits should have steps; and what is only suspected.</summary>
public sealed class CompensationTests
{
    internal static IEnumerable<PoolReport> Told =>
        [Twice(Compensated(), 0.83), Twice(Compensated(), 0.71), Twice(Compensated()), StepIsDue()];

    [Fact]
    public void Where_steps_stop_memory_that_counts_as_high_or_the_debt_of_an_earlier_goal_explains_it()
    {
        Are<(Mechanism, Mechanism?)>(
            g => (g.Mechanism, g.Also),
            ("a load that counts as high", Twice(Compensated(), 0.83).Injection(), (Mechanism.G6MemoryVeto, null)),
            ("a load below the threshold", Twice(Compensated(), 0.71).Injection(), (Mechanism.G7Debt, null)),
            ("a load that nobody knows", Twice(Compensated()).Injection(), (Mechanism.G1GateTick, Mechanism.G7Debt)),
            // No debt: threads that exist are enough.
            ("compensation that was given back",
                Twice(Compensated().WithdrawTo(20), 0.5).Injection(), (Mechanism.G1GateTick, Mechanism.G10GoalOnly)),
            ("no step, and a load that is high by a setting",
                Twice(Opened(With("DOTNET_GCHighMemPercent", "1")), 0.3).Injection(), (Mechanism.G1GateTick, Mechanism.G6MemoryVeto)),
            ("a pool that was told to ignore memory",
                Twice(Opened(With("System.Threading.ThreadPool.Blocking.IgnoreMemoryUsage", "true")), 0.95).Injection(),
                (Mechanism.G1GateTick, null)),
            ("plain blocking with memory to spare", Twice(Blocked(), 0.4).Injection(), (Mechanism.G1GateTick, null)));
        Assert.Equal(DelayVerdict.AsExpected, Twice(Compensated(), 0.83).Injection().Verdict);
    }

    [Fact]
    public void A_tick_inside_a_step_that_is_due_does_not_look_for_starvation() =>
        Assert.Contains(StepIsDue().Injection().Ticks,
            t => !t.Fired && t.Why.Contains("a thread for a task wait is pending", StringComparison.Ordinal));

    // With 2 processors the fourth worker is the last one without delay: the seventh makes the next step wait 50 ms, across the tick.
    static PoolScript StepIsDue() => new PoolScript().Opening(2).CounterSamples(90)
        .Repeat(4, s => s.StarvationAfter(1001)).CooperativeAfter(470).StarvationAfter(531.5).Pass(1500);

    static PoolScript Twice(PoolScript script, double? load = null) =>
        (load is null ? script : script.Looked(r => r with { MemoryLoad = load })).StarvationAfter(1001).StarvationAfter(1001).Pass(1500);

    // 8 at once, and 8 steps of 25 ms.
    static PoolScript Compensated() => Blocked().CooperativeAfter(2, by: 8).Repeat(8, s => s.CooperativeAfter(25.6));

    static PoolScript Opened(TargetFacts target) => new PoolScript(target: target).Opening().CounterSamples(90);

    static TargetFacts With(string name, string value) => new()
    {
        Pid = 1, Name = "a", RuntimeVersion = "10.0.12",
        Settings = [new(name, value, name[0] == 'D' ? SettingSource.Environment : SettingSource.Runtimeconfig)],
    };
}
