using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw013IdleTimeoutTests
{
    readonly Tpw013IdleTimeout rule = new();

    [Fact]
    public void Workers_that_ended_and_are_waited_for_again_are_found()
    {
        var finding = Ask.Found(rule, Again(TimedOut(Bursting())));

        Assert.Equal((Severity.Warning, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal(3, Ask.Value(finding, "Target thread count lowered for idle threads"));
        Assert.Equal(2, Ask.Value(finding, "Threads added again"));
        Assert.Contains("the pool had added 2 threads again", finding.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void The_settings_are_computed_and_decimal()
    {
        var settings = Ask.Found(rule, Again(TimedOut(Bursting()))).Remedies.Select(r => r.Setting).ToArray();

        Assert.StartsWith("DOTNET_ThreadPool_ThreadTimeoutMs=40000 (decimal)", settings[^2], StringComparison.Ordinal);
        Assert.StartsWith("DOTNET_ThreadPool_ThreadsToKeepAlive=13 (decimal)", settings[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_timeout_that_is_set_is_what_the_remedy_compares_with()
    {
        var target = Facts("10.0.12") with { Settings = [new("DOTNET_ThreadPool_ThreadTimeoutMs", "60000", SettingSource.Environment)] };

        Assert.Contains("for 1 min 30 s instead of 1 min 00 s",
            Ask.Found(rule, Again(TimedOut(Bursting(target)))).Remedies[^2].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Runtimes_before_8_have_no_such_settings() =>
        Assert.DoesNotContain(Ask.Found(rule, Again(TimedOut(Bursting(Facts("6.0.36"))))).Remedies,
            r => r.Setting?.Contains("KeepAlive", StringComparison.Ordinal) == true);

    [Fact]
    public void Workers_that_are_not_needed_again_are_rightly_given_up() => Ask.Clear(rule, TimedOut(Bursting()).Pass(9000));

    [Fact]
    public void Injections_without_a_time_out_are_another_finding() => Ask.Clear(rule, Again(Bursting()));

    [Fact]
    public void Growth_beyond_what_there_was_is_no_return()
    {
        var script = TimedOut(Bursting()).TargetThreads(20);

        Ask.Clear(rule, script.CounterSamples(20).StarvationAfter(9000).StarvationAfter(1001).Pass(900));
    }

    [Fact]
    public void After_loss_it_is_undecided() => Ask.Open(rule, Bursting().Lose().Pass(3000), "events were lost");

    static PoolScript Bursting(TargetFacts? target = null) =>
        new PoolScript(target: target).Opening().CounterSamples(20)
            .Repeat(3, s => s.StarvationAfter(1001)).Pass(900).CounterSamples(0, 10).Pass(2000).CounterSamples(0);

    static PoolScript TimedOut(PoolScript script) => script
        .AdjustAfter(22_000, 10, AdjustmentReason.ThreadTimedOut, 1001).AdjustAfter(1, 9, AdjustmentReason.ThreadTimedOut, 1002)
        .AdjustAfter(1, 8, AdjustmentReason.ThreadTimedOut, 1003).Pass(3000);

    static PoolScript Again(PoolScript script) => script.CounterSamples(20).StarvationAfter(9000).StarvationAfter(1001).Pass(900);

    static TargetFacts Facts(string version) => new() { Pid = 4242, Name = "Orders.Api", RuntimeVersion = version };
}
