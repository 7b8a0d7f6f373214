using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Model;

/// <summary>From which load on memory counts as high: by what is set, and within what the size of the memory leaves open.</summary>
public sealed class MemoryThresholdTests
{
    // min(10, 3 + 47 / processors) % stay free from 80 GB on; the pool keeps to eight tenths of the rest.
    [Theory]
    [InlineData(2, 0.719, false)]
    [InlineData(2, 0.721, true)]
    [InlineData(6, 0.721, true)]
    [InlineData(16, 0.719, false)]
    [InlineData(16, 0.759, null)]
    [InlineData(16, 0.761, true)]
    [InlineData(64, 0.775, null)]
    [InlineData(64, 0.777, true)]
    [InlineData(null, 0.775, null)]
    [InlineData(2, null, null)]
    public void Large_machines_leave_a_band_in_which_it_is_not_known(int? processors, double? load, bool? high) =>
        Assert.Equal(high, MemoryThreshold.Of(Target()).IsHigh(load, processors));

    [Theory]
    [InlineData("DOTNET_GCHighMemPercent", "32", 64, 0.401, true)]
    [InlineData("DOTNET_GCHighMemPercent", "32", 64, 0.399, false)]
    [InlineData("DOTNET_GCHighMemPercent", "1", 64, null, true)]
    [InlineData("System.Threading.ThreadPool.Blocking.IgnoreMemoryUsage", "true", 2, 0.99, false)]
    [InlineData("System.Threading.ThreadPool.Blocking.IgnoreMemoryUsage", "false", 2, 0.99, true)]
    public void A_setting_leaves_none(string name, string value, int processors, double? load, bool? high) =>
        Assert.Equal(high, MemoryThreshold.Of(Target(new PoolSetting(name, value, SettingSource.Environment))).IsHigh(load, processors));

    static TargetFacts Target(params PoolSetting[] settings) => new() { Pid = 1, Name = "shop", Settings = [.. settings] };
}
