using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

/// <summary>Rules asked about played lives, and the answers that must come.</summary>
static class Ask
{
    public static Finding Found(this IFindingRule rule, PoolReport report) =>
        Assert.IsType<FindingRuleAnswer.Found>(rule.Look(report)).Finding;

    public static void Clear(this IFindingRule rule, PoolReport report) => Assert.IsType<FindingRuleAnswer.Clear>(rule.Look(report));

    /// <summary>Each of these lives, called by what it is, leaves the rule clear.</summary>
    public static void Clear(this IFindingRule rule, params (string Life, PoolReport Report)[] lives) =>
        Assert.Empty(lives.Where(life => rule.Look(life.Report) is not FindingRuleAnswer.Clear).Select(life => life.Life));

    public static void Open(this IFindingRule rule, PoolReport report, MissingKind missing) =>
        Assert.Equal(missing, Assert.IsType<FindingRuleAnswer.Undecided>(rule.Look(report)).What.Kind);

    /// <summary>Each of these lives leaves the rule undecided for want of such data.</summary>
    public static void Open(this IFindingRule rule, params (string Life, PoolReport Report, MissingKind Missing)[] lives) => Assert.Equal(
        lives.Select(life => (life.Life, (MissingKind?)life.Missing)),
        lives.Select(life => (life.Life, (rule.Look(life.Report) as FindingRuleAnswer.Undecided)?.What.Kind)));

    /// <summary>The first value with this text.</summary>
    public static double? Value(this Finding finding, string text) =>
        finding.Evidence.First(e => e.Text.StartsWith(text, StringComparison.Ordinal)).Value;

    public static double? Number(this Finding finding, string text) =>
        Assert.Single(finding.Evidence, e => e.Text.Contains(text, StringComparison.Ordinal)).Value;

    /// <summary>Every worker blocked from before the capture on, and three injections.</summary>
    public static PoolScript Starving() => new PoolScript().Opening().CounterSamples(90).Repeat(3, s => s.StarvationAfter(1001)).Pass(500);

    /// <summary>Nothing waits.</summary>
    public static PoolScript Quiet() => new PoolScript().Opening().CounterSamples(0, 20).Pass(4000);

    /// <summary>Two workers, fifty items that wait, two that end a second: no injection.</summary>
    public static PoolScript Undetected() => new PoolScript().Opening(2).CounterSamples(50, 2).Pass(4000);

    /// <summary>The same on processors that are busy.</summary>
    public static PoolScript Busy() => new PoolScript().Opening(2).CounterSamples(50, 2, cpu: 0.99).Pass(4000);

    /// <summary>The same report with every gap of the gate charged to another rule.</summary>
    public static PoolReport Charged(this PoolReport report, Mechanism rule) => report with
    {
        InjectionDelays = [.. report.InjectionDelays.Select(g => g.Mechanism == Mechanism.G1GateTick ? g with { Mechanism = rule } : g)],
    };

    public static PoolReport Known(this PoolReport report, Func<TargetFacts, TargetFacts> change) =>
        report with { Timeline = report.Timeline with { Target = change(report.Timeline.Target) } };

    public static PoolReport Load(this PoolReport report, double load) => report with
    {
        Timeline = report.Timeline with { Process = new ProcessReading(report.Timeline.Now, 1000, Stopped: false) { MemoryLoad = load } },
    };

    public static PoolReport Set(this PoolReport report, string name, string value, SettingSource source = SettingSource.Environment) =>
        report.Known(t => t with { Settings = [.. t.Settings, new(name, value, source)] });
}
