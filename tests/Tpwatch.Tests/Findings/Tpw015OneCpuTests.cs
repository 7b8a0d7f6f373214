using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw015OneCpuTests
{
    readonly Tpw015OneCpu rule = new();

    [Fact]
    public void One_processor_with_waits_is_found_as_the_cause()
    {
        var finding = Ask.Found(rule, Waiting(1));

        Assert.Equal((Severity.Serious, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal("The runtime counts one processor, so MinThreads is 1. One item that blocks can delay all other "
            + "items.", finding.Headline);
        Assert.Contains("DOTNET_PROCESSOR_COUNT=2 or more", finding.Remedies[^1].Setting, StringComparison.Ordinal);
    }

    [Fact]
    public void The_setting_that_makes_it_one_is_named()
    {
        var target = new TargetFacts
        {
            Pid = 1, Name = "x", RuntimeVersion = "10.0.1", Processors = new(1, SettingSource.Environment),
            Settings = [new("DOTNET_PROCESSOR_COUNT", "1", SettingSource.Environment)],
        };
        var finding = Ask.Found(rule, new PoolScript(target: target).TargetThreads(1).Ramp(1).CounterSamples(50, 2).Pass(4000));

        Assert.Contains("(DOTNET_PROCESSOR_COUNT=1)", finding.Headline, StringComparison.Ordinal);
        Assert.Equal(Confidence.Medium, finding.Confidence);
        Assert.StartsWith("remove DOTNET_PROCESSOR_COUNT=1", finding.Remedies[^1].Setting, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_the_one_processor_is_busy_no_worker_is_recommended()
    {
        var finding = Ask.Found(rule, new PoolScript().Opening(1).CounterSamples(50, 2, cpu: 0.99).Pass(4000));

        Assert.Equal(Severity.Warning, finding.Severity);
        Assert.DoesNotContain("MinWorkerThreads", Assert.Single(finding.Remedies).Setting, StringComparison.Ordinal);
    }

    [Fact]
    public void Two_processors_are_not_one() => Ask.Clear(rule, Waiting(2));

    [Fact]
    public void A_min_that_somebody_raised_is_not_the_cause() =>
        Ask.Clear(rule, new PoolScript().Processors(1).Limits(4, 32767).Ramp(4).CounterSamples(50, 2).Pass(4000));

    [Fact]
    public void One_processor_that_suffices_is_no_finding() =>
        Ask.Clear(rule, new PoolScript().Opening(1).CounterSamples(0, 200).Pass(4000));

    [Fact]
    public void With_the_processors_unknown_it_is_undecided() =>
        Ask.Open(rule, new PoolScript().Limits(1, 32767).Ramp(1)
            .CounterSamples(50, 2).Pass(4000), "how many processors the runtime counts");

    [Fact]
    public void One_processor_and_loss_is_undecided() =>
        Ask.Open(rule, new PoolScript().Opening(1).CounterSamples(0, 20).Pass(2000).Lose().Pass(500), "events were lost");

    [Fact]
    public void After_loss_it_is_not_certain_that_min_is_still_one() =>
        Assert.Equal(Confidence.Medium, Ask.Found(rule, Waiting(1).Lose().Pass(4000)).Confidence);

    static PoolScript Waiting(int processors) => new PoolScript().Opening(processors).CounterSamples(50, 2).Pass(4000);
}
