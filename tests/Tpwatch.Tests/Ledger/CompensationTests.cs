using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Ledger;

/// <summary>G6 and G7: the gate's ticks where task waits should have steps; and what is only suspected.</summary>
public sealed class CompensationTests
{
    [Fact]
    public void Steps_that_stop_while_memory_counts_as_high_are_vetoed()
    {
        var delay = Injection(Compensated().Looked(r => r with { MemoryLoad = 0.83 }).StarvationAfter(1001).StarvationAfter(1001)
            .Pass(1500));

        Assert.Equal(Mechanism.G6MemoryVeto, delay.Mechanism);
        Assert.StartsWith("Memory use is high (83%): from 72% on, task waits get no extra thread. Only the gate thread adds threads then.",
            delay.Because, StringComparison.Ordinal);
        Assert.Equal(DelayVerdict.AsExpected, delay.Verdict);
    }

    [Fact]
    public void Below_the_threshold_it_is_the_debt_of_an_earlier_goal()
    {
        var delay = Injection(Compensated().Looked(r => r with { MemoryLoad = 0.71 }).StarvationAfter(1001).StarvationAfter(1001)
            .Pass(1500));

        Assert.Equal(Mechanism.G7Debt, delay.Mechanism);
        Assert.StartsWith("Task waits get no extra thread here: the pool has raised the target thread count to ",
            delay.Because, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_nobody_knows_the_load_the_debt_is_a_suspicion()
    {
        var delay = Injection(Compensated().StarvationAfter(1001).StarvationAfter(1001).Pass(1500));

        Assert.Equal((Mechanism.G1GateTick, (Mechanism?)Mechanism.G7Debt), (delay.Mechanism, delay.Also));
        Assert.EndsWith("High memory use may be the cause instead: the memory load is not known.", delay.Because, StringComparison.Ordinal);
    }

    [Fact]
    public void Once_task_waits_have_given_their_compensation_back_there_is_no_debt()
    {
        var delay = Injection(
            Compensated().WithdrawTo(20).Looked(r => r with { MemoryLoad = 0.5 }).StarvationAfter(1001).StarvationAfter(1001).Pass(1500));

        Assert.Equal(Mechanism.G1GateTick, delay.Mechanism);
        Assert.NotEqual(Mechanism.G7Debt, delay.Also);
    }

    [Fact]
    public void Without_any_step_a_high_load_is_a_suspicion_that_stacks_would_settle()
    {
        var script = new PoolScript(target: With("DOTNET_GCHighMemPercent", "1")).Opening()
            .CounterSamples(90).Looked(r => r with { MemoryLoad = 0.3 });
        var delay = Injection(script.StarvationAfter(1001).StarvationAfter(1001).Pass(1500));

        Assert.Equal((Mechanism.G1GateTick, (Mechanism?)Mechanism.G6MemoryVeto), (delay.Mechanism, delay.Also));
    }

    [Fact]
    public void A_pool_that_was_told_to_ignore_memory_is_not_vetoed()
    {
        var target = With("System.Threading.ThreadPool.Blocking.IgnoreMemoryUsage", "true");
        var delay = Injection(
            new PoolScript(target: target).Opening()
                .CounterSamples(90).Looked(r => r with { MemoryLoad = 0.95 }).StarvationAfter(1001).Pass(1500));

        Assert.Null(delay.Also);
    }

    [Fact]
    public void Plain_blocking_with_memory_to_spare_has_neither() =>
        Assert.Equal(
            (Mechanism.G1GateTick, null),
            Of(Injection(new PoolScript().Opening().CounterSamples(90).Looked(r => r with { MemoryLoad = 0.4 })
                .Repeat(3, s => s.StarvationAfter(1001)).Pass(1500))));

    [Fact]
    public void A_tick_inside_a_step_that_is_due_does_not_look_for_starvation()
    {
        // With 2 processors the fourth worker is the last one without delay: the seventh makes the next step wait 50 ms, across the tick.
        var script = new PoolScript().Opening(2).CounterSamples(90)
            .Repeat(4, s => s.StarvationAfter(1001)).CooperativeAfter(470).StarvationAfter(531.5);
        var checks = Injection(script.Pass(1500)).Ticks;

        Assert.Contains(checks, t => !t.Fired && t.Why.Contains("a thread for a task wait is pending", StringComparison.Ordinal));
    }

    static (Mechanism Mechanism, Mechanism? Also) Of(InjectionDelay delay) => (delay.Mechanism, delay.Also);

    // 8 at once, and 8 steps of 25 ms.
    static PoolScript Compensated() =>
        new PoolScript().Opening().CounterSamples(90).CooperativeAfter(2, by: 8).Repeat(8, s => s.CooperativeAfter(25.6));

    static InjectionDelay Injection(PoolScript script) =>
        script.Report().InjectionDelays.Last(g => g.Reason == AdjustmentReason.Starvation);

    static TargetFacts With(string name, string value) =>
        new()
        {
            Pid = 1, Name = "a", RuntimeVersion = "10.0.12", Settings =
        [
            new(name, value, name.StartsWith("DOTNET", StringComparison.Ordinal) ? SettingSource.Environment : SettingSource.Runtimeconfig),
        ]
        };
}
