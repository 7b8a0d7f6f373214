using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw008HighMemoryTests
{
    static readonly Tpw008HighMemory Rule = new();

    internal static IEnumerable<PoolReport> Told =>
        [Ask.Starving().Report().Set("DOTNET_GCHighMemPercent", "50"), Mixed(), Ask.Starving().Report().Load(0.73)];

    [Fact]
    public void What_the_ledger_charges_to_memory_is_found()
    {
        var finding = Rule.Found(Ask.Starving().Report().Charged(Mechanism.G6MemoryVeto));

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
        var finding = Rule.Found(Ask.Starving().Report().Set(name, value, source));

        Assert.Equal(Confidence.Low, finding.Confidence);
        Assert.Equal((20, 16), (finding.Number("treats as high"), finding.Number("no extra thread")));
        Assert.Equal(3, finding.Number("while memory use was high"));
        Assert.DoesNotContain(finding.Evidence, e => e.Text.Contains("while threads waited for tasks", StringComparison.Ordinal));
        Assert.Contains(finding.Evidence, e => e.Source == $"{name}={value}");
        Assert.Contains(finding.Remedies, r => r.Setting == $"remove {name}");
    }

    [Fact]
    public void The_load_itself_decides_where_it_is_known()
    {
        var finding = Rule.Found(Mixed().Load(0.8));

        Assert.Equal((Confidence.Medium, 80, 72), (finding.Confidence, finding.Number("Memory in use"), finding.Number("no extra thread")));
        Rule.Clear(
            ("memory to spare", Mixed().Load(0.5)),
            ("memory to spare by a setting", Ask.Starving().Report().Set("DOTNET_GCHighMemPercent", "50").Load(0.3)),
            ("steps that go on after the gate has injected",
                Ask.Starving().CooperativeAfter(300, by: 4).Pass(500).Report().Set("DOTNET_GCHighMemPercent", "1")),
            ("a pool that was told to ignore memory", Ask.Starving().Report().Set("DOTNET_GCHighMemPercent", "1")
                .Set("System.Threading.ThreadPool.Blocking.IgnoreMemoryUsage", "true", SettingSource.Runtimeconfig)),
            ("a setting alone", Ask.Quiet().Report().Set("DOTNET_GCHighMemPercent", "1")));
    }

    [Fact]
    public void What_may_be_high_or_may_have_another_cause_is_undecided() => Rule.Open(
        ("a setting that only some loads exceed", Ask.Starving().Report().Set("DOTNET_GCHighMemPercent", "50"), MissingKind.MemoryLoad),
        ("steps that stop while task waits go on", Mixed(), MissingKind.MemoryLoad),
        ("a load that may be high", Ask.Starving().Report().Load(0.73), MissingKind.Stacks),
        ("a load that is high", Ask.Starving().Report().Load(0.8), MissingKind.Stacks));

    static PoolReport Mixed() => new PoolScript().Opening()
        .CounterSamples(90).CooperativeAfter(3, by: 12).Repeat(3, s => s.StarvationAfter(1001)).Pass(500).Report();
}
