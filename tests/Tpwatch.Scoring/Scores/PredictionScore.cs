using System.Collections.Immutable;
using Tpwatch.Explain.Forecast;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>What was said before it came, against what came. Lists, since a median over all runs needs every one.</summary>
/// <param name="Ticks">Injections by the gate of which the number of ticks was right.</param>
/// <param name="SureTicks">Those of which the tool said that it was sure.</param>
/// <param name="TwoTicks">The same injections by the constant answer "two ticks".</param>
/// <param name="TimeErrorsMs">Error of the time where the number was right and the gate's looks came on time as a rule.</param>
/// <param name="LateTimeErrorsMs">The same where they came late as a rule, since the target keeps its processors busy.</param>
/// <param name="CountdownErrorsMs">Error of the countdown to a cooperative step that was foreseeable.</param>
/// <param name="Failures">Injections foretold that did not come, and that came although the rules said none would.</param>
internal sealed record PredictionScore(
    Share Ticks, Share SureTicks, Share TwoTicks, ImmutableArray<double> TimeErrorsMs, ImmutableArray<double> LateTimeErrorsMs,
    ImmutableArray<double> CountdownErrorsMs, int Failures)
{
    /// <summary>The answer that needs no model.</summary>
    const int Two = 2;

    /// <summary>What a time is to be right within; looks that are late by more as a rule cannot be.</summary>
    const double LateMs = 2;

    public static PredictionScore None { get; } = new(default, default, default, [], [], [], 0);

    /// <summary>Injections whose condition held and that the stream could tell in time; the others tell nothing.</summary>
    public static PredictionScore Of(ForecastScore score)
    {
        var scored = score.Predictions.Where(prediction => prediction.IsScored).ToArray();
        var ticks = scored.Where(prediction => prediction.Ticks is not null).ToArray();
        var sure = ticks.Where(prediction => prediction.Sure).ToArray();
        return new(
            new(ticks.Count(IsRight), ticks.Length),
            new(sure.Count(IsRight), sure.Length),
            new(ticks.Count(prediction => prediction.CameTicks == Two), ticks.Length),
            Errors(ticks.Where(one => IsRight(one) && !IsLate(one))),
            Errors(ticks.Where(one => IsRight(one) && IsLate(one))),
            Errors(scored.Where(prediction => prediction.Ticks is null)),
            score.Missed + score.Invented);
    }

    public static PredictionScore operator +(PredictionScore one, PredictionScore other) => new(
        one.Ticks + other.Ticks, one.SureTicks + other.SureTicks, one.TwoTicks + other.TwoTicks,
        [.. one.TimeErrorsMs, .. other.TimeErrorsMs], [.. one.LateTimeErrorsMs, .. other.LateTimeErrorsMs], [.. one.CountdownErrorsMs, .. other.CountdownErrorsMs],
        one.Failures + other.Failures);

    static bool IsRight(InjectionPrediction prediction) => prediction.Outcome == PredictionOutcome.Right;

    static bool IsLate(InjectionPrediction prediction) => prediction.UsuallyLateMs > LateMs;

    static ImmutableArray<double> Errors(IEnumerable<InjectionPrediction> predictions) =>
        [.. predictions.Select(prediction => prediction.ErrorMs).OfType<double>().Select(Math.Abs)];
}
