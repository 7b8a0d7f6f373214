using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Scores;

/// <summary>
/// What was said of the moment at which the queue is empty, against the truth, and what is said without a model: that items go on to
/// come and to start as in the second before. Errors are shares of the true span; without end where the answer was "never".
/// </summary>
/// <param name="Errors">Of what was said.</param>
/// <param name="AsBefore">Of the constant answer, at the same moments.</param>
sealed record QueueScore(ImmutableArray<double> Errors, ImmutableArray<double> AsBefore)
{
    /// <summary>A span shorter than this is the stream's own, and a share of it says nothing.</summary>
    const double ShortestMs = 500;

    const double SecondMs = 1_000;

    public static QueueScore None { get; } = new([], []);

    /// <param name="said">What was said while the run went on; the same more than once counts once.</param>
    /// <param name="truth">What happened.</param>
    public static QueueScore Of(IEnumerable<PoolForecast> said, RunTruth truth)
    {
        var lanes = new TrueLanes(truth);
        var known = said.Where(one => one.QueueEmpty is { At: not null } or { Never: true }).DistinctBy(one => one.At)
            .Select(one => (one.At, Said: one.QueueEmpty!, TrueMs: TrueQueueEmpty.After(truth, lanes, one.At)))
            .Where(one => one.TrueMs >= ShortestMs).ToArray();
        return new(
            [.. known.Select(one => Error(one.Said.At?.MsSince(one.At), one.TrueMs!.Value))],
            [.. known.Select(one => Error(AsBeforeMs(lanes, one.At), one.TrueMs!.Value))]);
    }

    public static QueueScore operator +(QueueScore one, QueueScore other) =>
        new([.. one.Errors, .. other.Errors], [.. one.AsBefore, .. other.AsBefore]);

    static double Error(double? saidMs, double trueMs) => saidMs is { } ms ? Math.Abs(ms - trueMs) / trueMs : double.PositiveInfinity;

    static double? AsBeforeMs(TrueLanes lanes, EventTime at)
    {
        var before = at.PlusMs(-SecondMs);
        var less = lanes.WaitingAt(before) - lanes.WaitingAt(at);
        return less > 0 ? lanes.WaitingAt(at) * SecondMs / less : null;
    }
}
