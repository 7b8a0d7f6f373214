using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

/// <summary>A rule asked about a played life, and the answer that must come.</summary>
static class Ask
{
    public static Finding Found(IFindingRule rule, PoolScript script) => Found(rule, script.Report());

    public static Finding Found(IFindingRule rule, PoolReport report) => Assert.IsType<FindingRuleAnswer.Found>(rule.Look(report)).Finding;

    public static void Clear(IFindingRule rule, PoolScript script) => Assert.IsType<FindingRuleAnswer.Clear>(rule.Look(script.Report()));

    public static void Open(IFindingRule rule, PoolScript script, string missing) =>
        Assert.Contains(missing, Assert.IsType<FindingRuleAnswer.Undecided>(rule.Look(script.Report())).Missing, StringComparison.Ordinal);

    /// <summary>The first value with this text.</summary>
    public static double? Value(Finding finding, string text) =>
        finding.Evidence.First(e => e.Text.StartsWith(text, StringComparison.Ordinal)).Value;

    /// <summary>Every worker blocked from before the capture on, and three injections.</summary>
    public static PoolScript Starving() => new PoolScript().Opening().CounterSamples(90).Repeat(3, s => s.StarvationAfter(1001)).Pass(500);

    /// <summary>Nothing waits.</summary>
    public static PoolScript Quiet() => new PoolScript().Opening().CounterSamples(0, 20).Pass(4000);

    /// <summary>Two workers, fifty items that wait, two that end a second: no injection.</summary>
    public static PoolScript Undetected() => new PoolScript().Opening(2).CounterSamples(50, 2).Pass(4000);
}
