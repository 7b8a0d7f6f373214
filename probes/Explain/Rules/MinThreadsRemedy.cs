using System.Globalization;

namespace Tpwatch.Explain.Rules;

/// <summary>The stopgap that starvation findings share: more min workers, in all three spellings.</summary>
static class MinThreadsRemedy
{
    public static Remedy Of(PoolReport report)
    {
        var wanted = Math.Max(report.MaxWorkers ?? 0, report.Timeline.Levels.Goal ?? 0);
        var hex = wanted.ToString("X", CultureInfo.InvariantCulture);
        return new(
            $"Stopgap until then: let the pool start with the {wanted} workers it grew to (more of them hold more memory and only move the wall).",
            $"DOTNET_ThreadPool_ForceMinWorkerThreads={hex} (hexadecimal), or \"System.Threading.ThreadPool.MinThreads\": {wanted} in "
            + $"runtimeconfig.json, or ThreadPool.SetMinThreads({wanted}, …)");
    }
}
