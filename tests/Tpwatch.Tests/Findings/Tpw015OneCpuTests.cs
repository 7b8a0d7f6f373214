using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw015OneCpuTests
{
    static readonly Tpw015OneCpu Rule = new();

    internal static IEnumerable<PoolReport> Told => [Waiting(1), Unknown()];

    [Fact]
    public void One_processor_with_waits_is_found_as_the_cause_less_surely_after_loss()
    {
        var finding = Rule.Found(Waiting(1));

        Assert.Equal((Severity.Serious, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Contains("DOTNET_PROCESSOR_COUNT=2 or more", finding.Remedies[^1].Setting, StringComparison.Ordinal);
        Assert.Equal(Confidence.Medium, Rule.Found(Waiting(1).Lose().Pass(4000)).Confidence);
        Assert.EndsWith("MinThreads is only 1", Rule.Cause(Waiting(1).Report()).Words, StringComparison.Ordinal);
        Assert.EndsWith("MinThreads is probably 1", Rule.Cause(new PoolScript().Processors(1).Report()).Words, StringComparison.Ordinal);
    }

    [Fact]
    public void The_setting_that_makes_it_one_is_named()
    {
        var target = new TargetFacts
        {
            Pid = 1, Name = "x", RuntimeVersion = "10.0.1", Processors = new(1, SettingSource.Environment),
            Settings = [new("DOTNET_PROCESSOR_COUNT", "1", SettingSource.Environment)],
        };
        var finding = Rule.Found(new PoolScript(target: target).TargetThreads(1).Ramp(1).CounterSamples(50, 2).Pass(4000));

        Assert.Equal(Confidence.Medium, finding.Confidence);
        Assert.StartsWith("remove DOTNET_PROCESSOR_COUNT=1", finding.Remedies[^1].Setting, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_the_one_processor_is_busy_no_worker_is_recommended()
    {
        var finding = Rule.Found(new PoolScript().Opening(1).CounterSamples(50, 2, cpu: 0.99).Pass(4000));

        Assert.Equal(Severity.Warning, finding.Severity);
        Assert.DoesNotContain("MinWorkerThreads", Assert.Single(finding.Remedies).Setting, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_one_processor_is_not_the_cause_it_is_clear() => Rule.Clear(
        ("two processors", Waiting(2)),
        ("a min that somebody raised", new PoolScript().Processors(1).Limits(4, 32767).Ramp(4).CounterSamples(50, 2).Pass(4000)),
        ("one processor that suffices", new PoolScript().Opening(1).CounterSamples(0, 200).Pass(4000)));

    [Fact]
    public void With_the_processors_unknown_or_events_lost_it_is_undecided() => Rule.Open(
        ("unknown", Unknown(), MissingKind.Setting),
        ("loss", new PoolScript().Opening(1).CounterSamples(0, 20).Pass(2000).Lose().Pass(500), MissingKind.LostEvents));

    static PoolScript Unknown() => new PoolScript().Limits(1, 32767).Ramp(1).CounterSamples(50, 2).Pass(4000);

    static PoolScript Waiting(int processors) => new PoolScript().Opening(processors).CounterSamples(50, 2).Pass(4000);
}
