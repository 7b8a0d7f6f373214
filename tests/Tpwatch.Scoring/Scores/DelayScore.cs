using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Scores;

/// <summary>What was said of an item queued now, against how long it would have waited by the truth.</summary>
/// <param name="Errors">Errors of the estimates, each as a share of the true delay.</param>
/// <param name="BrokenBounds">Lower bounds without an estimate that were above the truth, of all that could be compared.</param>
sealed record DelayScore(ImmutableArray<double> Errors, Share BrokenBounds)
{
    /// <summary>A delay shorter than this is the stream's own, and a share of it says nothing.</summary>
    const double ShortestMs = 500;

    public static DelayScore None { get; } = new([], default);

    /// <param name="said">What was said while the run went on; the same more than once counts once.</param>
    /// <param name="truth">What happened.</param>
    public static DelayScore Of(IEnumerable<StartDelay> said, RunTruth truth)
    {
        var known = said.DistinctBy(one => one.At).Select(one => (Said: one, Truth: TrueStartDelay.Of(truth, one.At)))
            .Where(one => one.Truth >= ShortestMs).ToArray();
        var bounds = known.Where(one => one.Said.EstimateMs is null).ToArray();
        return new(
            [.. known.Where(one => one.Said.EstimateMs is not null)
                .Select(one => Math.Abs(one.Said.EstimateMs!.Value - one.Truth!.Value) / one.Truth.Value)],
            new(bounds.Count(one => one.Said.MinMs > one.Truth), bounds.Length));
    }

    public static DelayScore operator +(DelayScore one, DelayScore other) =>
        new([.. one.Errors, .. other.Errors], one.BrokenBounds + other.BrokenBounds);
}
