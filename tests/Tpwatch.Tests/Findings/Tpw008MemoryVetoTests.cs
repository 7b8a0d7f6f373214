using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw008MemoryVetoTests
{
    static readonly Tpw008MemoryVeto Rule = new();

    [Fact]
    public void What_the_ledger_charges_to_memory_is_found()
    {
        var finding = Rule.Found(Starving().Report().Charged(Mechanism.G6MemoryVeto));

        Assert.Equal(("TPW008", Severity.Warning), (finding.Id, finding.Severity));
        Assert.Equal(3, finding.Number("Threads added because of starvation"));
        Assert.Contains(finding.Remedies, r => r.Setting?.Contains("IgnoreMemoryUsage", StringComparison.Ordinal) == true);
    }

    [Theory]
    [InlineData("DOTNET_GCHighMemPercent", "0x14", SettingSource.Environment)]
    [InlineData("COMPlus_GCHighMemPercent", "14", SettingSource.Environment)]
    [InlineData("System.GC.HighMemoryPercent", "20", SettingSource.Runtimeconfig)]
    public void A_setting_that_makes_any_load_high_is_found_and_named(string name, string value, SettingSource source)
    {
        var finding = Rule.Found(Starving().Report().Set(name, value, source));

        Assert.Equal(Confidence.Low, finding.Confidence);
        Assert.Equal((20, 16), (finding.Number("treats as high"), finding.Number("no extra thread")));
        Assert.Equal(3, finding.Number("while memory use was high"));
        Assert.DoesNotContain(finding.Evidence, e => e.Text.Contains("while threads waited for tasks", StringComparison.Ordinal));
        Assert.Contains(finding.Evidence, e => e.Source == $"{name}={value}");
        Assert.Contains(finding.Remedies, r => r.Setting == $"remove {name}");
    }

    [Fact]
    public void A_setting_that_only_some_loads_exceed_leaves_it_undecided()
    {
        Assert.Equal(
            "the memory load at the last full garbage collection is not known. From 64% on, task waits get no extra thread",
            Rule.Open(Starving().Report().Set("DOTNET_GCHighMemPercent", "50")));
    }

    [Fact]
    public void Steps_that_stop_while_task_waits_go_on_leave_it_undecided()
    {
        var script = new PoolScript().Opening()
            .CounterSamples(90).CooperativeAfter(3, by: 12).Repeat(3, s => s.StarvationAfter(1001)).Pass(500);

        Assert.Contains("From 72% on", Rule.Open(script.Report()), StringComparison.Ordinal);
    }

    [Fact]
    public void The_load_itself_decides_where_it_is_known()
    {
        var side = new PoolScript().Opening().CounterSamples(90).CooperativeAfter(3, by: 12)
            .Repeat(3, s => s.StarvationAfter(1001)).Pass(500).Report();

        var finding = Rule.Found(side.Load(0.8));
        Assert.Equal((Confidence.Medium, 80, 72), (finding.Confidence, finding.Number("Memory in use"), finding.Number("no extra thread")));
        Rule.Clear(side.Load(0.5));
        Rule.Clear(Starving().Report().Set("DOTNET_GCHighMemPercent", "50").Load(0.3));
        Assert.StartsWith("no stacks were taken (--depth stacks). 73% of the memory is in use, and from 72% on",
            Rule.Open(Starving().Report().Load(0.73)), StringComparison.Ordinal);
        Assert.StartsWith("no stacks were taken (--depth stacks). 80% of the memory is in use, and from 72% on",
            Rule.Open(Starving().Report().Load(0.8)), StringComparison.Ordinal);
    }

    [Fact]
    public void Steps_that_go_on_after_the_gate_has_injected_rule_it_out()
    {
        Rule.Clear(Starving().CooperativeAfter(300, by: 4).Pass(500).Report().Set("DOTNET_GCHighMemPercent", "1"));
    }

    [Fact]
    public void Being_told_to_ignore_memory_rules_the_setting_out()
    {
        var report = Starving().Report().Set("DOTNET_GCHighMemPercent", "1")
            .Set("System.Threading.ThreadPool.Blocking.IgnoreMemoryUsage", "true", SettingSource.Runtimeconfig);

        Rule.Clear(report);
    }

    [Fact]
    public void A_setting_alone_harms_nobody_and_loss_leaves_it_undecided()
    {
        Rule.Clear(new PoolScript().Opening().CounterSamples(0, 20).Pass(3000).Report().Set("DOTNET_GCHighMemPercent", "1"));
        Assert.Contains("lost", Rule.Open(new PoolScript().Opening().CounterSamples(0, 20).Lose().Pass(3000).Report()),
            StringComparison.Ordinal);
    }

    static PoolScript Starving() => new PoolScript().Opening().CounterSamples(90).Repeat(3, s => s.StarvationAfter(1001)).Pass(500);
}
