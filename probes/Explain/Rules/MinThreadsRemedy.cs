using System.Globalization;

namespace Tpwatch.Explain.Rules;

/// <summary>The stopgap that starvation findings share: more min workers, in all three spellings.</summary>
static class MinThreadsRemedy
{
    /// <summary>The min that is advised.</summary>
    public static int Wanted(PoolReport report) => Advised(report).Wanted;

    public static Remedy Of(PoolReport report)
    {
        var (wanted, why) = Advised(report);
        var hex = wanted.ToString("X", CultureInfo.InvariantCulture);
        return new(
            $"Stopgap until then: let the pool start with {wanted} workers, {why} (more of them hold more memory and only move the wall).",
            $"DOTNET_ThreadPool_ForceMinWorkerThreads={hex} (hexadecimal), or \"System.Threading.ThreadPool.MinThreads\": {wanted} in "
            + $"runtimeconfig.json, or ThreadPool.SetMinThreads({wanted}, …)");
    }

    static (int Wanted, string Why) Advised(PoolReport report)
    {
        var had = report.Timeline.Target.MinWorkers.Value ?? report.Timeline.Target.Processors.Value ?? 0;
        var grown = Math.Max(report.MaxWorkers ?? 0, report.Timeline.Levels.Goal ?? 0);
        // A pool that did not grow does not show how many workers it would take: twice as many is a first try.
        return grown > had ? (grown, "to which it grew") : (2 * grown, "twice as many as now, as a first try");
    }
}
