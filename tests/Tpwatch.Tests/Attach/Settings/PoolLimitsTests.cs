using System.Collections.Immutable;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Tests.Attach.Settings;

/// <summary>Each expectation was seen on runtime 10.0.12 with two processors; where runtimes differ the value must be unknown.</summary>
public sealed class PoolLimitsTests
{
    const string Min = "DOTNET_ThreadPool_ForceMinWorkerThreads";
    const string Max = "DOTNET_ThreadPool_ForceMaxWorkerThreads";
    const string Entry = "System.Threading.ThreadPool.MinThreads";

    [Theory]
    [InlineData(Min + "=10", 16)]
    [InlineData(Min + "=0x10", 16)]
    [InlineData(Min + "= 10", 16)]
    [InlineData("COMPlus_ThreadPool_ForceMinWorkerThreads=10", 16)]
    [InlineData(Min + "=10 COMPlus_ThreadPool_ForceMinWorkerThreads=20", 16)]
    [InlineData(Min + "=zz COMPlus_ThreadPool_ForceMinWorkerThreads=20", null)]
    [InlineData(Min + "=7FFF", 32767)]
    [InlineData(Min + "=FFFF", null)]
    [InlineData(Min + "=10000", null)]
    [InlineData(Min + "=1g", null)]
    [InlineData(Min + "=-1", null)]
    [InlineData(Min + "=0", null)]
    [InlineData(Min + "=", null)]
    public void A_forced_min_in_the_environment_is_hexadecimal(string environment, int? min) =>
        Assert.Equal(new SourcedValue(min, min is null ? SettingSource.Unknown : SettingSource.Environment),
            Of(environment.Replace("= ", "=\t", StringComparison.Ordinal)).Min);

    [Theory]
    [InlineData("25", 25)]
    [InlineData("\"25\"", 25)]
    [InlineData("\"0x10\"", 16)]
    [InlineData("\"010\"", 8)]
    [InlineData("\"abc\"", null)]
    [InlineData("\"40000\"", null)]
    [InlineData("true", null)]
    public void A_forced_min_in_runtimeconfig_is_written_in_any_base(string json, int? min) =>
        Assert.Equal(
            new SourcedValue(min, min is null ? SettingSource.Unknown : SettingSource.Runtimeconfig), Of("", Runtimeconfig(json)).Min);

    [Theory]
    [InlineData("10", 16)]
    [InlineData("0", null)]
    [InlineData("zz", null)]
    public void The_environment_hides_runtimeconfig(string value, int? min) =>
        Assert.Equal(min, Of($"{Min}={value}", Runtimeconfig("25")).Min.Value);

    [Theory]
    [InlineData("8", 8)]
    [InlineData("8x", 8)]
    [InlineData("0x10", null)]
    [InlineData("0", null)]
    [InlineData("abc", null)]
    [InlineData("70000", null)]
    public void A_processor_count_is_decimal_up_to_its_last_digit(string value, int? processors) =>
        Assert.Equal(processors, Of($"DOTNET_PROCESSOR_COUNT={value}").Processors.Value);

    [Fact]
    public void Nothing_configured_is_nothing_known_since_the_program_may_have_set_it_by_a_call() =>
        Assert.Equal(new PoolLimits(SourcedValue.Unknown, SourcedValue.Unknown, SourcedValue.Unknown), Of("HOME=/"));

    [Theory]
    [InlineData(Max + "=1 DOTNET_PROCESSOR_COUNT=8", 8)]
    [InlineData(Max + "=20 DOTNET_PROCESSOR_COUNT=8", 32)]
    [InlineData(Max + "=2", 2)]
    [InlineData(Max + "=1", null)]
    [InlineData(Max + "=4 " + Min + "=4", 4)]
    public void A_forced_max_is_never_below_min_which_starts_as_the_processors(string environment, int? max) =>
        Assert.Equal(max, Of(environment, allowedProcessors: 2).Max.Value);

    [Fact]
    public void A_forced_max_is_unknown_where_processors_are() => Assert.Null(Of(Max + "=64", allowedProcessors: null).Max.Value);

    [Fact]
    public void A_forced_max_below_a_forced_min_disables_both()
    {
        var limits = Of($"{Max}=4 {Min}=10");
        Assert.Equal((SourcedValue.Unknown, SourcedValue.Unknown), (limits.Min, limits.Max));
    }

    [Fact]
    public void Of_the_environment_only_the_pools_settings_are_kept()
    {
        var environment = ProcEnvironment.Of(
            ["PASSWORD=hush", "DOTNET_gcServer=1", "DOTNET_HillClimbing_Disable=1", "DOTNET_ThreadPool_X=1",
                "COMPlus_PROCESSOR_COUNT=2", "DOTNET_GCHighMemPercent=1E", "ThreadPool_Y=1", "XDOTNET_ThreadPool_Z=1"]);
        Assert.Equal(
            ["COMPlus_PROCESSOR_COUNT", "DOTNET_GCHighMemPercent", "DOTNET_HillClimbing_Disable", "DOTNET_ThreadPool_X"],
            PoolConfigReader.Of(environment).Select(s => s.Name));
    }

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("[]")]
    [InlineData("{\"runtimeOptions\":[]}")]
    [InlineData("{\"runtimeOptions\":{\"configProperties\":7}}")]
    public void A_runtimeconfig_of_another_shape_holds_no_settings(string json) => Assert.Empty(PoolConfigReader.OfRuntimeconfig(json));

    [Fact]
    public void Of_runtimeconfig_only_the_pools_settings_are_kept_as_written() => Assert.Equal(
        [new PoolSetting(Entry, "25", SettingSource.Runtimeconfig),
            new PoolSetting("System.Threading.ThreadPool.Blocking.CooperativeBlocking", "False", SettingSource.Runtimeconfig)],
        PoolConfigReader.OfRuntimeconfig($$"""
            { // comments are allowed
              "runtimeOptions": { "configProperties": { "System.GC.Server": true, "{{Entry}}": 25, "System.Threading.ThreadPool.Blocking.CooperativeBlocking": false } } }
            """));

    static string Runtimeconfig(string value) => $"{{\"runtimeOptions\":{{\"configProperties\":{{\"{Entry}\":{value}}}}}}}";

    static PoolLimits Of(string environment, string runtimeconfig = "", int? allowedProcessors = 2)
    {
        ImmutableArray<PoolSetting> settings =
            [.. PoolConfigReader.Of(ProcEnvironment.Of(environment.Split(' '))), .. PoolConfigReader.OfRuntimeconfig(runtimeconfig)];
        return PoolLimits.Of(settings, allowedProcessors);
    }
}
