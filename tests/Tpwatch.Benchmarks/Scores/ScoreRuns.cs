using System.Collections.Immutable;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>Which runs are scored: each row of the catalogues on this machine's runtime, those whose rule is a runtime's own on the older ones, too.</summary>
internal static class ScoreRuns
{
    static readonly ImmutableArray<string> OnEveryRuntime = ["pool-burst", "sync-over-async", "mixed-blocking", "idle-timeout", "ceiling"];

    public static ImmutableArray<PlannedRun> Of(IReadOnlyCollection<string> names) =>
        [.. CatalogueRun.Named(names).SelectMany(row => Runtimes(row).Select(runtime => new PlannedRun(row, runtime, row.ShortWords)))];

    static IEnumerable<TargetRuntime> Runtimes(CatalogueRun row) =>
        row.Variant is null && OnEveryRuntime.Contains(row.Scenario.Name)
            ? [TargetRuntime.Net10, TargetRuntime.Net9, TargetRuntime.Net8]
            : [TargetRuntime.Net10];
}
