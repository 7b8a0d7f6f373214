using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw017DoesNotApplyTests
{
    const string DetectorSwitch = "System.Threading.ThreadPool.DisableStarvationDetection";
    const string WindowsSwitch = "System.Threading.ThreadPool.UseWindowsThreadPool";

    readonly Tpw017DoesNotApply rule = new();

    [Fact]
    public void A_detector_that_is_off_is_as_serious_as_what_waits()
    {
        Assert.Equal(Severity.Serious, Ask.Found(rule, Ask.Undetected().Switch(DetectorSwitch)).Severity);
        Assert.Equal(Severity.Warning, Ask.Found(rule, Ask.Quiet().Switch(DetectorSwitch)).Severity);
    }

    [Fact]
    public void The_setting_to_take_out_is_named_as_it_stands()
    {
        var byEvent = Ask.Found(rule, Ask.Quiet().Switch(DetectorSwitch));
        var byEnvironment = Ask.Found(rule,
            Played(Facts() with { Settings = [new("DOTNET_ThreadPool_DisableStarvationDetection", "1", SettingSource.Environment)] }));

        Assert.Equal("\"System.Threading.ThreadPool.DisableStarvationDetection\": false in runtimeconfig.json (now true)",
            byEvent.Remedies[0].Setting);
        Assert.Equal(
            "remove DOTNET_ThreadPool_DisableStarvationDetection=1 from the environment, and restart the process",
            byEnvironment.Remedies[0].Setting);
        Assert.Equal("environment", byEnvironment.Evidence[0].Source);
    }

    [Fact]
    public void A_detector_that_is_off_is_not_called_asleep()
    {
        var report = new PoolScript().Switch(DetectorSwitch).Opening(2).CounterSamples(50, 2).Pass(4000).Report();

        Assert.Contains("TPW003", report.Clear);
    }

    [Fact]
    public void A_switch_that_says_no_is_no_finding() => Ask.Clear(rule, Ask.Quiet().Switch(DetectorSwitch, on: false));

    /// <summary>Synthesised: there is no Windows here.</summary>
    [Fact]
    public void The_Windows_pool_is_said_to_be_out_of_sight()
    {
        var finding = Ask.Found(rule, Played(Facts() with { Os = "Windows" }).Switch(WindowsSwitch));

        Assert.Equal(Severity.Warning, finding.Severity);
        Assert.Contains("uses the Windows thread pool", finding.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Elsewhere_the_switch_for_the_Windows_pool_does_nothing() =>
        Ask.Clear(rule, Played(Facts() with { Os = "Linux" }).Switch(WindowsSwitch));

    /// <summary>Synthesised: there is no such runtime here.</summary>
    [Fact]
    public void A_runtime_that_was_not_checked_is_a_note()
    {
        var finding = Ask.Found(rule, Played(Facts() with { RuntimeVersion = "11.0.0-preview.3" }));

        Assert.Equal(Severity.Note, finding.Severity);
        Assert.StartsWith("tpwatch does not know the rules of .NET 11", finding.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void A_runtime_that_was_checked_is_clear() => Ask.Clear(rule, Ask.Quiet());

    [Fact]
    public void Without_the_version_it_is_undecided() =>
        Ask.Open(rule, Played(Facts() with { RuntimeVersion = null }), "the runtime's version");

    static TargetFacts Facts() => new() { Pid = 4242, Name = "Orders.Api", RuntimeVersion = "10.0.12" };

    static PoolScript Played(TargetFacts target) => new PoolScript(target: target).Opening().CounterSamples(0, 20).Pass(4000);
}
