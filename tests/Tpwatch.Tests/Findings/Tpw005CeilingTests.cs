using System.Collections.Immutable;
using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw005CeilingTests
{
    readonly Tpw005Ceiling rule = new();

    [Fact]
    public void Items_that_wait_at_max_are_found()
    {
        var finding = Ask.Found(rule, AtMax(new PoolScript().Processors(8).Limits(8, 10)));

        Assert.Equal((Severity.Serious, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal(10, Ask.Value(finding, "MaxThreads"));
        Assert.Contains("All 10 worker threads", finding.Headline, StringComparison.Ordinal);
        Assert.Contains("dotnet tpwatch report -p 4242 --depth stacks", finding.Remedies[0].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_stopgap_gives_a_larger_max_in_all_spellings() => Assert.Equal(
        "ThreadPool.SetMaxThreads(20, 1000), or \"System.Threading.ThreadPool.MaxThreads\": 20 in runtimeconfig.json, "
        + "or DOTNET_ThreadPool_ForceMaxWorkerThreads=0x14 (hexadecimal for 20)",
        Ask.Found(rule, AtMax(new PoolScript().Processors(8).Limits(8, 10))).Remedies[^1].Setting);

    [Theory]
    [InlineData(WaitsFor.QueuedItems, null, "Do not count on a larger MaxThreads")]
    [InlineData(WaitsFor.Outside, "20", "twice as many as now")]
    public void No_max_is_guessed_where_what_they_wait_for_needs_a_worker_itself(WaitsFor all, string? max, string word)
    {
        var report = AtMax(new PoolScript().Processors(8).Limits(8, 10)).Report();
        var stopgap = Ask.Found(
            rule, report with { Bursts = new() { Taken = [], Samples = 0, PausedMs = 0, WaitsFor = all } }).Remedies[^1];

        Assert.Contains(word, stopgap.Text, StringComparison.Ordinal);
        Assert.Equal(max is null, stopgap.Setting is null);
        Assert.Contains(max ?? "", stopgap.Setting ?? "", StringComparison.Ordinal);
    }

    [Fact]
    public void Where_the_environment_forces_max_a_call_is_said_to_have_no_effect()
    {
        var target = new TargetFacts
        {
            Pid = 1, Name = "x", RuntimeVersion = "10.0.1", MaxWorkers = new(10, SettingSource.Environment),
            Settings = [new("DOTNET_ThreadPool_ForceMaxWorkerThreads", "A", SettingSource.Environment)],
        };
        var finding = Ask.Found(rule, AtMax(new PoolScript(target: target).Processors(8).TargetThreads(8)));

        Assert.EndsWith(" While DOTNET_ThreadPool_ForceMaxWorkerThreads exists (now A, hexadecimal for 10), "
            + "calls to SetMaxThreads have no effect.", finding.Remedies[^1].Text, StringComparison.Ordinal);
        Assert.DoesNotContain("SetMaxThreads", finding.Remedies[^1].Setting!, StringComparison.Ordinal);
        Assert.Equal("DOTNET_ThreadPool_ForceMaxWorkerThreads", finding.Evidence[0].Source);
    }

    [Fact]
    public void A_max_that_the_pool_never_asked_for_is_said_not_to_matter()
    {
        var finding = Ask.Found(rule, new PoolScript().Processors(2).Limits(2, 10).Ramp(2).CounterSamples(50, 2).Pass(4000));

        Assert.Equal(Severity.Note, finding.Severity);
        Assert.Contains("Raising MaxThreads would change nothing", finding.Headline, StringComparison.Ordinal);
        Assert.All(finding.Remedies, r => Assert.Null(r.Setting));
    }

    [Fact]
    public void Max_reached_with_nothing_waiting_is_no_finding() =>
        Ask.Clear(rule, new PoolScript().Processors(8).Limits(8, 8).Ramp(8).CounterSamples(0, 20).Pass(5000));

    [Fact]
    public void The_default_max_is_not_spoken_of() => Ask.Clear(rule, Ask.Undetected());

    [Fact]
    public void A_pool_that_stands_still_with_max_unknown_is_undecided() =>
        Ask.Open(rule, new PoolScript().Processors(2).Ramp(2)
            .CounterSamples(50, 2).Pass(5000), "MaxThreads is not known, and items waited");

    [Fact]
    public void A_pool_that_grew_a_moment_ago_was_not_at_max() =>
        Ask.Clear(
            rule, new PoolScript().Processors(8).TargetThreads(8).Ramp(8).GateBegins()
                .CounterSamples(60).Repeat(5, s => s.StarvationAfter(1001)).Pass(500));

    [Fact]
    public void With_the_detector_off_standing_still_says_nothing_of_max()
    {
        var settings =
            ImmutableArray.Create(new PoolSetting("DOTNET_ThreadPool_DisableStarvationDetection", "1", SettingSource.Environment));
        var script = new PoolScript(target: new() { Pid = 1, Name = "x", RuntimeVersion = "10.0.1", Settings = settings });

        Ask.Clear(rule, script.Processors(2).Ramp(2).CounterSamples(50, 2).Pass(5000));
    }

    [Fact]
    public void Without_a_heartbeat_it_is_undecided() =>
        Ask.Open(rule, new PoolScript().Opening().Pass(5000).WorkerSleeps(), "counter samples");

    static PoolScript AtMax(PoolScript script) =>
        script.Ramp(8).GateBegins().CounterSamples(60).Repeat(2, s => s.StarvationAfter(1001)).Pass(5000);
}
