using Tpwatch.Benchmarks.Scores;
using Tpwatch.Explain.Forecast;
using Tpwatch.Explain.Gaps;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Tests.Fixtures;

namespace Tpwatch.Tests.Scores;

/// <summary>What was said before it came.</summary>
public sealed class PredictionScoreTests
{
    static readonly EventTime Zero = new(5_000_000_000);

    [Fact]
    public void Only_predictions_whose_condition_held_count_and_the_constant_answer_is_asked_the_same()
    {
        var score = PredictionScore.Of(new ForecastScore
        {
            Predictions =
            [
                Tick(2, came: 2, PredictionOutcome.Right, offMs: -0.5),
                Tick(1, came: 2, PredictionOutcome.Wrong, offMs: 500) with { Sure = false },
                Tick(1, came: 1, PredictionOutcome.Right, offMs: 1.5),
                Tick(2, came: 2, PredictionOutcome.ConditionNotMet, offMs: 0),
                Tick(2, came: 2, PredictionOutcome.NotForeseeable, offMs: 0),
                Step(PredictionOutcome.Right, offMs: 4),
                Step(PredictionOutcome.Wrong, offMs: 40),
            ],
            Missed = 1,
            Invented = 2,
        });

        Assert.Equal((new Share(2, 3), new Share(2, 2), new Share(2, 3)), (score.Ticks, score.SureTicks, score.TwoTicks));
        Assert.Equal([0.5, 1.5], score.TimeErrorsMs, Near);
        Assert.Equal([4, 40], score.CountdownErrorsMs, Near);
        Assert.Equal(3, score.Failures);
    }

    [Fact]
    public void A_start_delay_is_compared_once_for_each_moment_and_only_where_the_truth_knows_it()
    {
        var truth = SampleTruth.Of(9000, (0, 1, 1000, 1), (0, 1001, 2000, 1), (0, 2001, 3000, 1));
        // At 500 the truth is 2,500 ms, at 2,500 nothing waits.
        var said = Said(truth, 500, min: 2000, estimate: 2750);

        var score = DelayScore.Of([said, said, Said(truth, 2500, min: 10, estimate: 10), Said(truth, 501, min: 2600, estimate: null), Said(truth, 502, min: 2400, estimate: null)], truth);

        Assert.Equal(0.1, Assert.Single(score.Errors), 3);
        Assert.Equal(new Share(1, 2), score.BrokenBounds);
    }

    static bool Near(double one, double other) => Math.Abs(one - other) < 1e-5;

    static StartDelay Said(RunTruth truth, double at, double min, double? estimate) =>
        new(SampleGaps.At(truth, at), min, null, estimate, "");

    static InjectionPrediction Tick(int ticks, int came, PredictionOutcome outcome, double offMs) =>
        new(Zero, Zero.PlusMs(1000), GapRule.G1GateTick, ticks, Sure: true) { Came = Zero.PlusMs(1000 + offMs), CameTicks = came, Outcome = outcome };

    static InjectionPrediction Step(PredictionOutcome outcome, double offMs) =>
        new(Zero, Zero.PlusMs(100), GapRule.G4CooperativeStep, null, Sure: true) { Came = Zero.PlusMs(100 + offMs), Outcome = outcome };
}
