using Tpwatch.Reports;
using Tpwatch.Scoring.Checks;
using Tpwatch.Scoring.Readings;
using Tpwatch.Scoring.Runs;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Scores;

/// <summary>Everything that is scored of one run.</summary>
sealed record RunScore(string Name)
{
    /// <summary>As in the JSON report.</summary>
    public required string Verdict { get; init; }

    public required GapScore InjectionDelays { get; init; }

    public required ExplainedTicks Ticks { get; init; }

    public required InjectionScore Injections { get; init; }

    public required ExpectationScore Expectation { get; init; }

    public required PredictionScore Predictions { get; init; }

    public required DelayScore Delays { get; init; }

    public required QueueScore Queue { get; init; }

    public required ImmutableArray<WrongSettingScore> Wrong { get; init; }

    /// <summary>Events that the session lost.</summary>
    public required long Lost { get; init; }

    /// <param name="run">The report at the end, and the record.</param>
    /// <param name="plan">What was run.</param>
    /// <param name="readings">What could be read meanwhile.</param>
    /// <param name="recording">The stream.</param>
    public static async Task<RunScore> OfAsync(ObservedRun run, RunPlan plan, ImmutableArray<Reading> readings, string recording) => new(
        plan.Name)
    {
        Verdict = ExpectationCheck.Word(run.Report.Verdict),
        InjectionDelays = GapScore.Of(run.Report, run.Truth),
        Ticks = ExplainedTicks.Of(run.Report, run.Truth),
        Injections = run.IsLate ? default : InjectionScore.Of(run.Report, run.Truth),
        Expectation = ExpectationScore.Of(run, plan),
        Predictions = plan.Row.WorkersTakeItems ? PredictionScorer.Of(run.Truth, readings) : PredictionScore.None,
        Delays = DelayScore.Of(readings.Select(reading => reading.Forecast.StartDelayOfNewItem).OfType<StartDelay>(), run.Truth),
        Queue = QueueScore.Of(readings.Select(reading => reading.Forecast), run.Truth),
        Wrong = run.IsLate ? [] : await WrongSettingScore.OfAsync(run.Truth, recording),
        Lost = run.Report.Timeline.Quality.Lost,
    };

    /// <summary>One line of progress.</summary>
    public override string ToString() =>
        $"{Verdict}, timed {InjectionDelays.Timed}, inside {InjectionDelays.Inside}, ticks {Ticks.Pure}, predicted {Predictions.Ticks}"
        + string.Concat(Expectation.All.Select(one => "; " + one));
}
