using System.Collections.Immutable;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Scoring.Readings;
using Tpwatch.Tests.Fixtures;

namespace Tpwatch.Tests.Scores;

/// <summary>What could be read before it came, against the moment at which the next worker took its first item.</summary>
public sealed class PredictionScoreTests
{
    /// <summary>One processor: its worker at once, others after 1,001, 1,502 and 2,503 ms; two items wait for good.</summary>
    static readonly RunTruth Truth = SampleTruth.Of(
        9000, (0, 1, null, 1), (0, 1002, null, 2), (0, 1503, null, 3),
        (0, 2504, null, 4), (0, null, null, 0), (0, null, null, 0)).On(processors: 1) with
    { Hiccups = [] };

    [Fact]
    public void The_first_thing_that_could_be_read_after_a_worker_counts_beside_both_constant_answers()
    {
        var score = Score(Truth,
            Tick(read: 100, said: 1002),
            // What is said later, when the first look has passed, is no feat.
            Tick(read: 1100, said: 2003), Tick(read: 1450, said: 1503),
            Tick(read: 1600, said: 2504, sure: true));

        Assert.Equal(new Share(2, 3), score.Ticks);
        // Two looks: right for the first and the third. As the last one: 1,001 for the first, then 1,001, then 501.
        Assert.Equal((new Share(2, 3), new Share(1, 3)), (score.TwoTicks, score.AsLast));
        Assert.Equal([0.0, 0.0], score.TimeErrorsMs);
    }

    [Fact]
    public void What_cannot_be_read_in_time_and_what_other_workers_change_is_left_unscored_with_the_reason()
    {
        var taken = SampleTruth.Of(9000, (0, 1, 700, 1), (0, 701, null, 1), (0, 1502, null, 2), (0, null, null, 0))
            .On(processors: 1) with
        { Hiccups = [] };
        Assert.Equal(Unscored.ItemsWereTaken, Assert.Single(Score(taken, Tick(read: 100, said: 1002)).Unscored).Key);

        Assert.Equal(3, Score(Truth, Tick(read: -50, said: 1002)).Unscored[Unscored.BeforeAnythingWasRead]);

        var stood = Truth with { Hiccups = [new TruthHiccup { At = SampleGaps.At(Truth, 900).Nanoseconds, OvershootMs = 50 }] };
        Assert.Equal(1, Score(
            stood, Tick(read: 100, said: 1002), Tick(read: 1100, said: 1503), Tick(read: 1600, said: 2504)).Unscored[Unscored.Standstill]);
    }

    [Fact]
    public void A_worker_of_which_nothing_was_said_is_missed_and_one_that_did_not_come_is_invented()
    {
        Reading Silence(double at) => new(SampleGaps.At(Truth, at), Forecast(at, null));
        var silent = Score(Truth, Silence(100), Silence(1100), Silence(1600));
        // The first came before anybody could know that something waits: counters come once a second.
        Assert.Equal((2, 1), (silent.Missed, silent.Unscored[Unscored.BacklogTooYoung]));
        // Who attaches late knows neither backlog nor looks for a second.
        var late = PredictionScorer.Of(Truth, [Silence(1100), Silence(1600)]);
        Assert.Equal((0, 2), (late.Missed, late.Unscored[Unscored.FirstSeen]));

        var last = Tick(read: 2600, said: 3505);
        Assert.Equal(1, Score(Truth, last).Invented);
        // At max nobody comes, which nothing had told; and at the end of the run nobody can tell.
        var full = Truth with { Header = Truth.Header with { MaxWorkers = 4 } };
        Assert.Equal((0, 1), (Score(full, last).Invented, Score(full, last).Unscored[Unscored.AtMax]));
        Assert.Equal(0, Score(Truth, Tick(read: 2600, said: 8500)).Invented);
    }

    [Fact]
    public void A_step_is_right_to_within_thirty_milliseconds()
    {
        var score = Score(Truth, Step(read: 100, said: 1000), Step(read: 1100, said: 1540));

        Assert.Equal((new Share(1, 2), default), (score.Steps, score.Ticks));
        Assert.Equal([2.0, 37.0], score.CountdownErrorsMs, (one, other) => Math.Abs(one - other) < 1e-6);
    }

    static PredictionScore Score(RunTruth truth, params ImmutableArray<Reading> readings) =>
        PredictionScorer.Of(truth, [new(SampleGaps.At(truth, -2000), Forecast(-2000, null)), .. readings]);

    static Reading Tick(double read, double said, bool sure = false) => Read(read, said, Mechanism.G1GateTick, sure);

    static Reading Step(double read, double said) => Read(read, said, Mechanism.G4CooperativeStep, sure: true);

    static Reading Read(double read, double said, Mechanism rule, bool sure) =>
        new(SampleGaps.At(Truth, read), Forecast(read, new(SampleGaps.At(Truth, said), [], rule, "", sure)));

    static PoolForecast Forecast(double at, NextInjection? next) =>
        new() { At = SampleGaps.At(Truth, at), NextInjection = next };
}
