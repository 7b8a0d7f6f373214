using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw007MixedBlockingTests
{
    static readonly Tpw007MixedBlocking Rule = new();

    internal static IEnumerable<PoolReport> Told => [Mixed(), Mixed().Report().Set("DOTNET_GCHighMemPercent", "32")];

    [Fact]
    public void Injections_above_the_free_budget_beside_task_waits_are_found()
    {
        var finding = Rule.Found(Mixed());
        Assert.Equal(("TPW007", Severity.Serious, Confidence.Medium), (finding.Id, finding.Severity, finding.Confidence));
        Assert.Equal(3, finding.Number("Threads added because of starvation"));
        Assert.Equal(1, finding.Number("The target thread count was raised for task waits"));
        Assert.Equal(23, finding.Number("Highest target thread count"));
        Assert.Equal(16, finding.Number("get threads without delay"));
        Assert.Equal(Confidence.High, Rule.Found(Mixed().Report().Load(0.4)).Confidence);
        Assert.True(Rule.Cause(Mixed()).OfHeldThreads);
    }

    [Fact]
    public void What_the_ledger_charges_to_the_debt_is_found() => Assert.Equal(
        3, Rule.Found(Ask.Starving().Report().Charged(Mechanism.G7Debt)).Number("Threads added because of starvation"));

    [Fact]
    public void Where_task_waits_owe_nothing_it_is_clear() => Rule.Clear(
        ("they had ended before", new PoolScript().Opening().CounterSamples(90).CooperativeAfter(3, by: 12)
            .WithdrawTo(9, after: 50).Repeat(2, s => s.StarvationAfter(1001)).Pass(500)),
        ("within the free budget",
            new PoolScript().Opening().CounterSamples(90).CooperativeAfter(3, by: 2).StarvationAfter(1001).Pass(500)));

    [Fact]
    public void What_explains_the_same_or_shows_no_task_waits_leaves_it_undecided() => Rule.Open(
        ("injections alone", new PoolScript().Opening().CounterSamples(90).Repeat(5, s => s.StarvationAfter(1001)).Pass(500),
            MissingKind.Stacks),
        ("a memory setting", Mixed().Report().Set("DOTNET_GCHighMemPercent", "32"), MissingKind.MemoryLoad),
        ("a load of memory", Mixed().Report().Load(0.9), MissingKind.MemoryLoad),
        // Eight processors: from 72 % or, with 80 GB or more, from 73.6 % on.
        ("a load that may be high", Mixed().Report().Load(0.73), MissingKind.MemoryLoad));

    static PoolScript Mixed() =>
        new PoolScript().Opening().CounterSamples(90).CooperativeAfter(3, by: 12).Repeat(3, s => s.StarvationAfter(1001)).Pass(500);
}
