using System.Collections.Immutable;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.Explain.Forecast;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>Everything that is scored of one run.</summary>
internal sealed record RunScore(string Name, string Runtime)
{
    public required string Verdict { get; init; }

    public required GapScore Gaps { get; init; }

    public required ExplainedTicks Ticks { get; init; }

    public required InjectionScore Injections { get; init; }

    public required ExpectationScore Expectation { get; init; }

    public required PredictionScore Predictions { get; init; }

    public required DelayScore Delays { get; init; }

    public required ImmutableArray<WrongSettingScore> Wrong { get; init; }

    /// <summary>Events that the session lost.</summary>
    public required long Lost { get; init; }

    public static async Task<RunScore> OfAsync(AttachedRun run) => new(run.Plan.Row.Stem, run.Plan.RuntimeName)
    {
        Verdict = run.Report.Verdict.ToString(),
        Gaps = GapScore.Of(run.Report, run.Truth),
        Ticks = ExplainedTicks.Of(run.Report, run.Truth),
        Injections = InjectionScore.Of(run.Report, run.Truth),
        Expectation = ExpectationScore.Of(run.Report, run.Plan.Row.Expectation),
        Predictions = run.Report.Forecast is { } forecast ? PredictionScore.Of(forecast.Score) : PredictionScore.None,
        Delays = DelayScore.Of(run.Looks.Select(look => look.Delay).OfType<StartDelay>(), run.Truth),
        Wrong = await WrongSettingScore.OfAsync(run),
        Lost = run.Report.Timeline.Quality.Lost,
    };

    /// <summary>One line of progress.</summary>
    public override string ToString() =>
        $"{Verdict}, with a rule {Gaps.WithRule}, inside {Gaps.Inside}, ticks {Ticks.Pure}, predicted {Predictions.Ticks}"
        + string.Concat(Expectation.Verdicts.Concat(Expectation.Findings).Concat(Expectation.Others).Select(one => "; " + one));
}
