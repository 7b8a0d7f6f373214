using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Findings;

/// <summary>Asks a rule and expects one of its three answers.</summary>
static class Answers
{
    public static Finding Found(this IFindingRule rule, PoolReport report) =>
        Assert.IsType<FindingRuleAnswer.Found>(rule.Look(report)).Finding;

    public static void Clear(this IFindingRule rule, PoolReport report) => Assert.IsType<FindingRuleAnswer.Clear>(rule.Look(report));

    /// <summary>What is missing.</summary>
    public static string Open(this IFindingRule rule, PoolReport report) =>
        Assert.IsType<FindingRuleAnswer.Undecided>(rule.Look(report)).Missing;

    public static double? Number(this Finding finding, string text) =>
        Assert.Single(finding.Evidence, e => e.Text.Contains(text, StringComparison.Ordinal)).Value;

    /// <summary>The same report with every gap of the gate charged to another rule.</summary>
    public static PoolReport Charged(this PoolReport report, Mechanism rule) =>
        report with
        {
            InjectionDelays = [.. report.InjectionDelays
            .Select(g => g.Mechanism == Mechanism.G1GateTick ? g with { Mechanism = rule } : g)]
        };

    public static PoolReport Known(this PoolReport report, Func<TargetFacts, TargetFacts> change) =>
        report with { Timeline = report.Timeline with { Target = change(report.Timeline.Target) } };

    public static PoolReport Load(this PoolReport report, double load) =>
        report with
        {
            Timeline = report.Timeline with
            {
                Process = new ProcessReading(report.Timeline.Now, 1000, Stopped: false) { MemoryLoad = load },
            }
        };

    public static PoolReport Set(this PoolReport report, string name, string value, SettingSource source = SettingSource.Environment) =>
        report.Known(t => t with { Settings = [.. t.Settings, new(name, value, source)] });
}
