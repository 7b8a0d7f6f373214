using System.Collections.Immutable;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>
/// Which runs are made live: on a machine left alone those of the matrix that have no neighbour, else those and the others beside one.
/// </summary>
static class ScoreRuns
{
    public static ImmutableArray<RunPlan> Of(IReadOnlyCollection<string> names, bool loaded) => loaded
        ? [.. RunMatrix.Named(names).Where(plan => plan.LateMs is null)
            .Select(plan => plan with { Loaded = true }).DistinctBy(plan => plan.Name)]
        : [.. RunMatrix.Named(names).Where(plan => !plan.Loaded)];
}
