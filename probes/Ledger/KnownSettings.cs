using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Processors, MinThreads and MaxThreads as far as known: first from the target's configuration, then from its events. Until then
/// MinThreads is assumed to be the runtime's default, the processor count, and marked as assumed; an unknown MaxThreads stays unknown.
/// </summary>
sealed class KnownSettings
{
    /// <summary>The processor count used until it is known.</summary>
    const int FewestProcessors = 1;

    const string Prefix = "System.Threading.ThreadPool.";
    const string CpuInterval = "CpuUtilizationIntervalMs";

    /// <summary>The first runtime version whose gate thread measures the time since the last dispatch.</summary>
    const int FirstByDispatch = 11;

    readonly bool cooperativeChanged;
    readonly bool climbChanged;
    readonly bool cpuUnread;
    readonly bool byDispatch;
    readonly bool detectorForced;
    int? processors;
    int? min;
    int? max;
    bool minRefuted;
    bool limitsLost;
    bool detectorDisabled;
    EventTime? noRoomSince;

    public KnownSettings(TargetFacts target)
    {
        (processors, min, max) = (target.Processors.Value, target.MinWorkers.Value, target.MaxWorkers.Value);
        cooperativeChanged = PoolSwitch.CompensationOff(target) is not null
            || target.Settings.Any(s => s.Name.StartsWith(Prefix + "Blocking.", StringComparison.Ordinal));
        climbChanged = target.Settings.Any(s => s.Name.Contains("HillClimbing", StringComparison.Ordinal));
        (detectorDisabled, detectorForced) = PoolSwitch.Of(target, PoolSwitch.DetectorDisabled) is { } detector
            ? (PoolSwitch.IsOn(detector.Value), detector.Source == SettingSource.Environment)
            : (false, false);
        cpuUnread = PoolSwitch.Of(target, CpuInterval) is { } interval && IsZero(interval.Value);
        byDispatch = target.RuntimeMajor >= FirstByDispatch;
    }

    /// <summary>The number of processors; null when unknown.</summary>
    public int? Processors => processors;

    public PoolSettings Current
    {
        get
        {
            var count = processors ?? FewestProcessors;
            return new(count, min ?? count, max, detectorDisabled)
            {
                MinBasis = min is not null ? MinBasis.Known : minRefuted ? MinBasis.Refuted : MinBasis.Assumed,
                CooperativeChanged = cooperativeChanged,
                LimitsLost = limitsLost,
                NoRoomSince = noRoomSince,
                CpuUnread = cpuUnread,
                ByDispatch = byDispatch,
            };
        }
    }

    /// <summary>The stream's header counts the machine's processors, which is good enough until the runtime's own count arrives.</summary>
    public void HeaderSays(int count) => processors ??= count > 0 ? count : null;

    public void RuntimeCounts(int count) => processors = count;

    public void Limits(int minimum, int maximum) => (min, max, limitsLost, noRoomSince) = (minimum, maximum, false, null);

    /// <summary>
    /// Uses hill climbing to detect that the pool is at its limits; a wave of another shape, set by the configuration, shows nothing.
    /// </summary>
    /// <returns>Whether this changed the settings.</returns>
    public bool Climbs(ClimbWave wave)
    {
        var before = noRoomSince;
        noRoomSince = wave.IsFlat && !climbChanged ? wave.Since : null;
        return noRoomSince != before;
    }

    /// <summary>
    /// Handles lost events: the observed MinThreads and MaxThreads stay in use until another call is seen, but no delay is called late
    /// because of them.
    /// </summary>
    public void Lose() => limitsLost = true;

    /// <summary>Records that a step came earlier than the default MinThreads allows.</summary>
    public void RefuteAssumedMin() => minRefuted = true;

    /// <summary>Applies an AppContext switch; an environment variable overrides it.</summary>
    public void Switch(string name, bool on) => detectorDisabled |= on && name == Prefix + PoolSwitch.DetectorDisabled && !detectorForced;

    static bool IsZero(string value) => value.Trim() is "0" or "00" or "0x0" or "0X0";
}

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
