using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Processors, min and max as far as known: from the target's configuration first, then from its events. Until something says otherwise
/// min is taken for the runtime's default, the processor count, and said to be assumed; a max that is not known stays unknown.
/// </summary>
sealed class KnownSettings
{
    /// <summary>Until anything says how many there are.</summary>
    const int FewestProcessors = 1;

    const string Prefix = "System.Threading.ThreadPool.";
    const string CpuInterval = "CpuUtilizationIntervalMs";

    /// <summary>From here on the gate's clock is another.</summary>
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
        cooperativeChanged = target.Settings.Any(s => s.Name.StartsWith(Prefix + "Blocking.", StringComparison.Ordinal));
        climbChanged = target.Settings.Any(s => s.Name.Contains("HillClimbing", StringComparison.Ordinal));
        (detectorDisabled, detectorForced) = PoolSwitch.Of(target, PoolSwitch.DetectorDisabled) is { } detector
            ? (PoolSwitch.IsOn(detector.Value), detector.Source == SettingSource.Environment)
            : (false, false);
        cpuUnread = PoolSwitch.Of(target, CpuInterval) is { } interval && IsZero(interval.Value);
        byDispatch = target.RuntimeMajor >= FirstByDispatch;
    }

    /// <summary>Processors, or null when nothing has said so.</summary>
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

    /// <summary>The stream's header counts the machine's processors: good enough until the runtime's own count comes.</summary>
    public void HeaderSays(int count) => processors ??= count > 0 ? count : null;

    public void RuntimeCounts(int count) => processors = count;

    public void Limits(int minimum, int maximum) => (min, max, limitsLost, noRoomSince) = (minimum, maximum, false, null);

    /// <summary>What hill climbing shows of the limits; a wave of another shape, set by the configuration, shows nothing.</summary>
    /// <returns>Whether that is news.</returns>
    public bool Climbs(ClimbWave wave)
    {
        var before = noRoomSince;
        noRoomSince = wave.IsFlat && !climbChanged ? wave.Since : null;
        return noRoomSince != before;
    }

    /// <summary>Events were lost: what was seen of min and max stands until another call is seen, but nobody is accused by it.</summary>
    public void Lose() => limitsLost = true;

    /// <summary>The pool stepped as it never would if min were the default.</summary>
    public void RefuteAssumedMin() => minRefuted = true;

    /// <summary>A switch as AppContext has it; what the environment says counts more.</summary>
    public void Switch(string name, bool on) => detectorDisabled |= on && name == Prefix + PoolSwitch.DetectorDisabled && !detectorForced;

    static bool IsZero(string value) => value.Trim() is "0" or "00" or "0x0" or "0X0";
}
