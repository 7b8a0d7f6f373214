using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Scores;

/// <summary>What was said of an item queued now, against how long it would have waited by the truth.</summary>
/// <param name="Errors">Errors of the estimates, each as a share of the true delay.</param>
/// <param name="AsLast">Errors at the same moments of the constant answer: as long as the item waited that began last.</param>
/// <param name="AsRate">And of this one: as long as it takes to start all that wait, as many a second as in the second before.</param>
/// <param name="BrokenBounds">Lower bounds without an estimate that were above the truth, of all that could be compared.</param>
sealed record DelayScore(
    ImmutableArray<double> Errors, ImmutableArray<double> AsLast, ImmutableArray<double> AsRate, Share BrokenBounds)
{
    /// <summary>A delay shorter than this is the stream's own, and a share of it says nothing.</summary>
    const double ShortestMs = 500;

    const double SecondMs = 1_000;

    public static DelayScore None { get; } = new([], [], [], default);

    /// <param name="said">What was said while the run went on; the same more than once counts once.</param>
    /// <param name="truth">What happened.</param>
    public static DelayScore Of(IEnumerable<StartDelay> said, RunTruth truth)
    {
        var known = said.DistinctBy(one => one.At).Select(one => (Said: one, Truth: TrueStartDelay.Of(truth, one.At)))
            .Where(one => one.Truth >= ShortestMs).ToArray();
        var bounds = known.Where(one => one.Said.EstimateMs is null).ToArray();
        var estimated = known.Where(one => one.Said.EstimateMs is not null).ToArray();
        var lanes = new TrueLanes(truth);
        ImmutableArray<double> Errors(Func<StartDelay, double?> answer) => [.. estimated.Select(one => answer(one.Said) is { } ms
            ? Math.Abs(ms - one.Truth!.Value) / one.Truth.Value : double.PositiveInfinity)];
        return new(
            Errors(said => said.EstimateMs), Errors(said => lanes.WaitOfLastStart(said.At)), Errors(said => AsRateMs(lanes, said.At)),
            new(bounds.Count(one => one.Said.MinMs > one.Truth), bounds.Length));
    }

    public static DelayScore operator +(DelayScore one, DelayScore other) =>
        new([.. one.Errors, .. other.Errors], [.. one.AsLast, .. other.AsLast], [.. one.AsRate, .. other.AsRate],
            one.BrokenBounds + other.BrokenBounds);

    static double? AsRateMs(TrueLanes lanes, EventTime at) => lanes.StartsBetween(at.PlusMs(-SecondMs), at) is > 0 and var starts
        ? lanes.WaitingAt(at) * SecondMs / starts
        : null;
}
