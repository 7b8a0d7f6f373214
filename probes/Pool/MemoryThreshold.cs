using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>The memory load from which the pool adds no thread for task waits.</summary>
/// <param name="HighPercent">Memory load that the garbage collector treats as high, percent; 90 without a setting.</param>
/// <param name="Setting">The setting that defines this load, as written; null for the default.</param>
/// <param name="IsIgnored">Whether the pool is configured to ignore memory use.</param>
sealed record MemoryThreshold(int HighPercent, PoolSetting? Setting, bool IsIgnored)
{
    /// <summary>Memory load that counts as high without a setting on a machine with less than 80 GB of memory, percent.</summary>
    public const int DefaultHighPercent = 90;

    /// <summary>The pool's threshold as a share of <see cref="HighPercent"/>; from PortableThreadPool.Blocking.</summary>
    const double PoolsShare = 0.8;

    const string Variable = "_GCHighMemPercent";
    const string Entry = "System.GC.HighMemoryPercent";
    const string Ignore = "IgnoreMemoryUsage";

    /// <summary>Memory load, percent, that nearly every machine running a service exceeds.</summary>
    const double NearlyAlwaysPercent = 20;

    /// <summary>Memory load from which the pool adds no thread for task waits, percent of the memory limit.</summary>
    public double PoolHighPercent => HighPercent * PoolsShare;

    /// <summary>Whether a setting makes nearly any memory load count as high.</summary>
    public bool IsNearlyAlways => Setting is not null && PoolHighPercent <= NearlyAlwaysPercent;

    /// <summary>Returns the threshold of a process. A setting counts only if it is from 1 to 99 and memory use is not ignored.</summary>
    public static MemoryThreshold Of(TargetFacts target)
    {
        var ignored = target.Settings.Any(s => s.Name.EndsWith(Ignore, StringComparison.Ordinal)
            && (s.Value == "1" || s.Value.Equals("true", StringComparison.OrdinalIgnoreCase)));
        var set = target.Settings.FirstOrDefault(s => s.Name.EndsWith(Variable, StringComparison.Ordinal))
            ?? target.Settings.FirstOrDefault(s => s.Name == Entry);
        return !ignored && set is not null && Percent(set) is > 0 and < 100 and var percent
            ? new(percent, set, ignored)
            : new(DefaultHighPercent, null, ignored);
    }

    /// <summary>Whether memory use reaches the pool's threshold, or a setting makes nearly any load reach it; null if unknown.</summary>
    /// <param name="load">Share of the memory limit in use, 0 to 1; null when unknown.</param>
    /// <param name="processors">Processors as the runtime counts them; null when unknown.</param>
    public bool? IsHigh(double? load, int? processors) =>
        IsIgnored ? false
        : load is not { } share ? IsNearlyAlways ? true : null
        : share * 100 < PoolHighPercent ? false
        : share * 100 >= HighestPercent(processors) * PoolsShare ? true
        : null;

    /// <summary>Whether memory use reaches the pool's threshold or may reach it; false if neither load nor setting is known.</summary>
    public bool MayBeHigh(double? load, int? processors) => IsHigh(load, processors) ?? (load is not null || Setting is not null);

    // From 80 GB of memory on, gc.cpp keeps min(10, 3 + 47 / processors) % free. The memory size is unknown: this is the upper bound.
    int HighestPercent(int? processors) => Setting is not null
        ? HighPercent
        : 100 - Math.Min(100 - DefaultHighPercent, 3 + (47 / (processors is > 0 and { } count ? count : int.MaxValue)));

    // The garbage collector reads its environment variables as hexadecimal, with or without 0x; entries in runtimeconfig.json are decimal.
    static int Percent(PoolSetting setting) => setting.Source == SettingSource.Environment
        ? int.TryParse(setting.Value.Trim() is ['0', 'x' or 'X', .. var rest] ? rest : setting.Value.Trim(),
            NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var hex) ? hex : 0
        : int.TryParse(setting.Value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0;
}
