using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Ledger;

/// <summary>
/// A variable of the environment hides the entry of the same name, whatever it says (thread-pool.md, section on settings).
/// </summary>
public sealed class PoolSettingsTrackerTests
{
    const string Entry = "System.Threading.ThreadPool.";
    const string Variable = "DOTNET_ThreadPool_";

    [Theory]
    [InlineData("0", "true", false)]
    [InlineData("1", "false", true)]
    [InlineData(null, "true", true)]
    [InlineData("", "true", true)]
    public void The_detector_is_off_as_the_environment_says_and_as_the_file_says_where_that_is_silent(
        string? variable, string entry, bool off)
    {
        var target = With("DisableStarvationDetection", variable, entry);
        var known = new PoolSettingsTracker(target);
        known.Switch(Entry + "DisableStarvationDetection", on: entry == "true");

        Assert.Equal(off, known.Current.DetectorDisabled);
        Assert.Equal(off, PoolSwitch.On(target, PoolSwitch.DetectorDisabled) is not null);
    }

    [Theory]
    [InlineData("0", "1", true)]
    [InlineData("1", "0", false)]
    [InlineData(null, "0", true)]
    [InlineData(null, "00", true)]
    [InlineData(null, "0x0", true)]
    [InlineData(null, " 0X0 ", true)]
    [InlineData(null, "0x1", false)]
    [InlineData(null, null, false)]
    public void The_processors_use_is_not_read_where_its_interval_is_0(string? variable, string? entry, bool unread) =>
        Assert.Equal(unread, new PoolSettingsTracker(With("CpuUtilizationIntervalMs", variable, entry)).Current.CpuUnread);

    static TargetFacts With(string name, string? variable, string? entry) => new()
    {
        Pid = 1,
        Name = "a",
        Settings =
        [
            .. variable is null ? [] : new[] { new PoolSetting(Variable + name, variable, SettingSource.Environment) },
            .. entry is null ? [] : new[] { new PoolSetting(Entry + name, entry, SettingSource.Runtimeconfig) },
        ],
    };
}
