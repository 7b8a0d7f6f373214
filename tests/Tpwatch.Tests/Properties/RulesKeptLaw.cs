using Tpwatch.Reports;
using Tpwatch.Tests.Properties.Generators;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Properties;

/// <summary>A pool that keeps the runtime's rules is not accused of breaking them.</summary>
public sealed class RulesKeptLaw
{
    [Fact]
    public void Of_a_pool_that_keeps_the_rules_no_injection_is_early_or_late()
    {
        var fits = 0;
        ForAny(PoolWorlds.Flat, world =>
        {
            var life = PoolLife.Of(world);
            var report = Folded.Report(life.Target, life.Facts);
            fits += report.Tally.AsExpected;
            var accused = report.InjectionDelays
                .Where(delay => delay.Verdict is DelayVerdict.Early or DelayVerdict.Late or DelayVerdict.NoRule)
                .Select(delay => FormattableString.Invariant($"{delay.Verdict} at {Watcher.Ms(delay.End)}: {delay.Because}")).ToArray();
            Assert.True(accused.Length == 0, string.Join('\n', accused));
        }, tests: 500, known: KnownWorlds.KeptRules);
        Assert.True(fits > 200, $"only {fits} gaps fit: the law says little");
    }

    [Fact]
    public void A_pool_that_keeps_the_rules_is_never_called_wedged() => ForAny(PoolWorlds.Flat, world =>
    {
        var life = PoolLife.Of(world);
        var report = Folded.Report(life.Target, life.Facts);
        Assert.DoesNotContain(report.InjectionDelays, delay => delay.Mechanism == Mechanism.G14Wedged);
        Assert.DoesNotContain(report.Findings, finding => finding.Id == "TPW016");
    }, tests: 400);
}
