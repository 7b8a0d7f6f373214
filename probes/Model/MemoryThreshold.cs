using System.Globalization;
using Tpwatch.Reports;

namespace Tpwatch.Model;

/// <summary>What configuration says of the memory load from which the pool adds no worker for task waits.</summary>
/// <param name="HighPercent">Load that the collector calls high, percent of the limit.</param>
/// <param name="Setting">The setting that says so, as written.</param>
sealed record MemoryThreshold(int HighPercent, PoolSetting Setting)
{
    /// <summary>What counts as high when nothing is set (one percent more for each further 10 GB on large machines, 97 at most).</summary>
    public const int DefaultHighPercent = 90;

    /// <summary>PortableThreadPool.Blocking: the pool keeps to this share of what the collector calls high.</summary>
    public const double PoolsShare = 0.8;

    const string Variable = "_GCHighMemPercent";
    const string Entry = "System.GC.HighMemoryPercent";
    const string Ignore = "System.Threading.ThreadPool.Blocking.IgnoreMemoryUsage";

    /// <summary>A load that hardly any machine with a service on it is below, percent.</summary>
    const double NearlyAlwaysPercent = 20;

    /// <summary>The load from which the pool steps no more, percent of the limit.</summary>
    public double VetoPercent => HighPercent * PoolsShare;

    /// <summary>Whether the setting makes nearly any load count as high.</summary>
    public bool IsNearlyAlways => VetoPercent <= NearlyAlwaysPercent;

    /// <summary>
    /// Whether memory counts as high: by the load if anybody tells it, else by a setting that leaves no doubt; null when unknown.
    /// </summary>
    /// <param name="target">Whose settings.</param>
    /// <param name="load">Share of the limit that is in use, 0 to 1; null when nobody tells it.</param>
    public static bool? IsHigh(TargetFacts target, double? load)
    {
        var set = Of(target);
        return IsIgnored(target) ? false
            : load is { } share ? share * 100 >= (set?.VetoPercent ?? DefaultHighPercent * PoolsShare)
            : set is { IsNearlyAlways: true } ? true
            : null;
    }

    /// <summary>What is set; null when nothing is, when it is no number, or when the pool is told to ignore memory.</summary>
    public static MemoryThreshold? Of(TargetFacts target) =>
        IsIgnored(target) ? null
        : (target.Settings.FirstOrDefault(s => s.Name.EndsWith(Variable, StringComparison.Ordinal))
            ?? target.Settings.FirstOrDefault(s => s.Name == Entry)) is { } setting
            && Percent(setting) is > 0 and < 100 and var percent
            ? new(percent, setting)
            : null;

    static bool IsIgnored(TargetFacts target) =>
        target.Settings.Any(s => s.Name == Ignore && s.Value.Equals("true", StringComparison.OrdinalIgnoreCase));

    // The collector reads its variables as hexadecimal, with or without 0x; its entries in runtimeconfig.json are decimal.
    static int Percent(PoolSetting setting) => setting.Source == SettingSource.Environment
        ? int.TryParse(setting.Value.Trim() is ['0', 'x' or 'X', .. var rest] ? rest : setting.Value.Trim(),
            NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var hex) ? hex : 0
        : int.TryParse(setting.Value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0;
}
