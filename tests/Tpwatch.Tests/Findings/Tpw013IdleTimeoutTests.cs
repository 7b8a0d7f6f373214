using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw013IdleTimeoutTests
{
    static readonly Tpw013IdleTimeout Rule = new();

    internal static IEnumerable<PoolReport> Told => [Again(TimedOut(Bursting())), AfterAMinute()];

    [Fact]
    public void Workers_that_ended_and_are_waited_for_again_are_found_with_settings_that_are_computed_and_decimal()
    {
        var finding = Rule.Found(Again(TimedOut(Bursting())));

        Assert.Equal((Severity.Warning, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal(3, finding.Value("Target thread count lowered for idle threads"));
        Assert.Equal(2, finding.Value("Threads added again"));
        Assert.StartsWith("DOTNET_ThreadPool_ThreadTimeoutMs=40000 (decimal)", finding.Remedies[^2].Setting, StringComparison.Ordinal);
        Assert.StartsWith("DOTNET_ThreadPool_ThreadsToKeepAlive=13 (decimal)", finding.Remedies[^1].Setting, StringComparison.Ordinal);
    }

    /// <summary>Without a counter sample, the goals before the time-outs tell how many threads there were.</summary>
    [Fact]
    public void The_goals_tell_how_many_there_were_where_no_sample_does() => Assert.Equal(2, Rule.Found(
        TimedOut(new PoolScript().Opening().Repeat(3, s => s.StarvationAfter(1001)).Pass(2900))
            .StarvationAfter(9000).StarvationAfter(1001).Pass(900)).Value("Threads added again"));

    [Fact]
    public void A_timeout_that_is_set_is_what_the_remedy_compares_with() =>
        Assert.Contains("for 1 min 30 s instead of 1 min 00 s", Rule.Found(AfterAMinute()).Remedies[^2].Text, StringComparison.Ordinal);

    [Fact]
    public void Runtimes_before_8_have_no_such_settings() =>
        Assert.DoesNotContain(Rule.Found(Again(TimedOut(Bursting(Facts("6.0.36"))))).Remedies,
            r => r.Setting?.Contains("KeepAlive", StringComparison.Ordinal) == true);

    [Fact]
    public void Where_nothing_ended_or_nothing_came_again_it_is_clear() => Rule.Clear(
        ("workers that are not needed again", TimedOut(Bursting()).Pass(9000)),
        ("injections without a time-out", Again(Bursting())),
        ("growth beyond what there was",
            TimedOut(Bursting()).TargetThreads(20).CounterSamples(20).StarvationAfter(9000).StarvationAfter(1001).Pass(900)));

    static PoolScript AfterAMinute() => Again(TimedOut(Bursting(
        Facts("10.0.12") with { Settings = [new("DOTNET_ThreadPool_ThreadTimeoutMs", "60000", SettingSource.Environment)] })));

    static PoolScript Bursting(TargetFacts? target = null) =>
        new PoolScript(target: target).Opening().CounterSamples(20)
            .Repeat(3, s => s.StarvationAfter(1001)).Pass(900).CounterSamples(0, 10).Pass(2000).CounterSamples(0);

    static PoolScript TimedOut(PoolScript script) => script
        .AdjustAfter(22_000, 10, AdjustmentReason.ThreadTimedOut, 1001).AdjustAfter(1, 9, AdjustmentReason.ThreadTimedOut, 1002)
        .AdjustAfter(1, 8, AdjustmentReason.ThreadTimedOut, 1003).Pass(3000);

    static PoolScript Again(PoolScript script) => script.CounterSamples(20).StarvationAfter(9000).StarvationAfter(1001).Pass(900);

    static TargetFacts Facts(string version) => new() { Pid = 4242, Name = "Orders.Api", RuntimeVersion = version };
}
