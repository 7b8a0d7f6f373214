using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Folds buckets to seconds so that no spike is lost: fewest and most workers, the most of backlog and processors, the mean of completions.
/// </summary>
static class CoarseBuckets
{
    /// <summary>A chunk of full detail as seconds, oldest first.</summary>
    public static Bucket[] Of(Bucket[] detail) => [.. detail.Chunk(BucketSeries.PerCoarse).Select(Fold)];

    static Bucket Fold(Bucket[] second)
    {
        var folded = Bucket.Unknown;
        var (done, rates) = (0.0, 0);
        foreach (var bucket in second)
        {
            folded = And(folded, bucket);
            (done, rates) = float.IsNaN(bucket.CompletedPerSecond) ? (done, rates) : (done + bucket.CompletedPerSecond, rates + 1);
        }

        return folded with { CompletedPerSecond = rates == 0 ? float.NaN : (float)(done / rates) };
    }

    static Bucket And(Bucket folded, Bucket next) => folded with
    {
        WorkersMin = folded.WorkersMin < 0
            ? next.WorkersMin
            : next.WorkersMin < 0 ? folded.WorkersMin
            : Math.Min(folded.WorkersMin, next.WorkersMin),
        WorkersMax = Math.Max(folded.WorkersMax, next.WorkersMax),
        Goal = next.Goal >= 0 ? next.Goal : folded.Goal,
        Backlog = Math.Max(folded.Backlog, next.Backlog),
        Cpu = float.IsNaN(folded.Cpu) || next.Cpu > folded.Cpu ? next.Cpu : folded.Cpu,
        Lost = folded.Lost || next.Lost,
    };
}
