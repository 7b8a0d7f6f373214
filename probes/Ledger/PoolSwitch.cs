using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Reads the pool's switches from the target's configuration and events.</summary>
static class PoolSwitch
{
    public const string DetectorDisabled = "DisableStarvationDetection";
    public const string WindowsPool = "UseWindowsThreadPool";
    const string Compensation = "CooperativeBlocking";
    const int FirstWithCompensationVariable = 11;

    /// <summary>The setting that switches <paramref name="name"/> on; null when it is not on.</summary>
    public static PoolSetting? On(TargetFacts target, string name) => Of(target, name) is { } said && IsOn(said.Value) ? said : null;

    /// <summary>The setting of this name, whatever its value. An environment variable overrides the others, as in the runtime.</summary>
    public static PoolSetting? Of(TargetFacts target, string name) =>
        target.Settings.Where(s => Is(s, name) && s.Value.Trim().Length > 0)
            .OrderByDescending(s => s.Source == SettingSource.Environment).ThenByDescending(s => IsOn(s.Value)).FirstOrDefault();

    /// <summary>
    /// The setting that switches blocking compensation off; null when it is on. .NET 11 and later also read the environment variable
    /// (dotnet/runtime#128606).
    /// </summary>
    public static PoolSetting? CompensationOff(TargetFacts target) =>
        ((target.RuntimeMajor >= FirstWithCompensationVariable ? Of(target, Compensation) : null) ?? Of(target, "Blocking." + Compensation))
            is { } said && !IsOn(said.Value) ? said : null;

    // DOTNET_ThreadPool_Name in the environment, System.Threading.ThreadPool.Name elsewhere.
    static bool Is(PoolSetting setting, string name) =>
        setting.Name.EndsWith("ThreadPool_" + name, StringComparison.Ordinal)
        || setting.Name.EndsWith("ThreadPool." + name, StringComparison.Ordinal);

    public static bool IsOn(string value) =>
        value.Trim() is not ("" or "0" or "0x0") && !value.Trim().Equals("false", StringComparison.OrdinalIgnoreCase);
}
