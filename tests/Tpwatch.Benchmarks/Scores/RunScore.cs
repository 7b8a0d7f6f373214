using System.Collections.Immutable;
using Tpwatch.Benchmarks.Runs;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>Everything that is scored of one run.</summary>
internal sealed record RunScore(string Name, string Runtime)
{
    public required string Verdict { get; init; }

    public required GapScore Gaps { get; init; }

    public required ExplainedTicks Ticks { get; init; }

    public required InjectionScore Injections { get; init; }

    public required ExpectationScore Expectation { get; init; }

    public required PredictionScore Forecast { get; init; }

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
        Forecast = PredictionScore.Of(run),
        Wrong = await WrongSettingScore.OfAsync(run),
        Lost = run.Report.Timeline.Quality.Lost,
    };

    /// <summary>One line of progress.</summary>
    public override string ToString() =>
        $"{Verdict}, with a rule {Gaps.WithRule}, inside {Gaps.Inside}, ticks {Ticks.Pure}"
        + string.Concat(Expectation.Verdicts.Concat(Expectation.Findings).Concat(Expectation.Others).Select(one => "; " + one));
}
