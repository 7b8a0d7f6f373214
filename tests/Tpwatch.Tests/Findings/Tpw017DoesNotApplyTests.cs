using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw017DoesNotApplyTests
{
    const string DetectorSwitch = "System.Threading.ThreadPool.DisableStarvationDetection";
    const string WindowsSwitch = "System.Threading.ThreadPool.UseWindowsThreadPool";

    static readonly Tpw017DoesNotApply Rule = new();

    internal static IEnumerable<PoolReport> Told =>
        [OnWindows(), Played(Facts() with { RuntimeVersion = null }), Ask.Quiet().Switch(DetectorSwitch)];

    [Fact]
    public void A_detector_that_is_off_is_as_serious_as_what_waits()
    {
        Assert.Equal(Severity.Serious, Rule.Found(Ask.Undetected().Switch(DetectorSwitch)).Severity);
        Assert.Equal(Severity.Warning, Rule.Found(Ask.Quiet().Switch(DetectorSwitch)).Severity);
    }

    [Fact]
    public void The_setting_to_take_out_is_named_as_it_stands()
    {
        var byEvent = Rule.Found(Ask.Quiet().Switch(DetectorSwitch));
        var byEnvironment = Rule.Found(
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

    /// <summary>Synthesised: there is no Windows here, and no such runtime.</summary>
    [Fact]
    public void The_Windows_pool_is_a_warning_and_a_runtime_that_was_not_checked_a_note() => Assert.Equal(
        [Severity.Warning, Severity.Note],
        ((PoolScript[])[OnWindows(), Played(Facts() with { RuntimeVersion = "11.0.0-preview.3" })]).Select(s => Rule.Found(s).Severity));

    [Fact]
    public void A_pool_by_the_rules_is_clear() => Rule.Clear(
        ("a switch that says no", Ask.Quiet().Switch(DetectorSwitch, on: false)),
        ("the switch for the Windows pool elsewhere", Played(Facts() with { Os = "Linux" }).Switch(WindowsSwitch)),
        ("a runtime that was checked", Ask.Quiet()));

    [Fact]
    public void Without_the_version_it_is_undecided() =>
        Rule.Open(Played(Facts() with { RuntimeVersion = null }), MissingKind.Setting);

    static PoolScript OnWindows() => Played(Facts() with { Os = "Windows" }).Switch(WindowsSwitch);

    static TargetFacts Facts() => new() { Pid = 4242, Name = "Orders.Api", RuntimeVersion = "10.0.12" };

    static PoolScript Played(TargetFacts target) => new PoolScript(target: target).Opening().CounterSamples(0, 20).Pass(4000);
}
