using System.Collections.Immutable;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>The measures over all runs, beside their goals.</summary>
internal static class ScoreBoard
{
    /// <summary>The right settings are judged as well, so that a wrong one has something to be worse than.</summary>
    const string Right = "the right settings";

    /// <param name="runs">What was scored.</param>
    /// <param name="quiet">On a machine with a busy neighbour the windows are printed without a goal.</param>
    public static ImmutableArray<ScoreRow> Of(IReadOnlyCollection<RunScore> runs, bool quiet)
    {
        var gaps = runs.Aggregate(default(GapScore), (sum, run) => sum + run.Gaps);
        return
        [
            ScoreRow.AtLeast("gaps that a rule explains", 0.99, gaps.WithRule),
            quiet
                ? ScoreRow.AtLeast("timed gaps inside a window of at most 20 ms", 0.98, gaps.Inside)
                : ScoreRow.Without("timed gaps inside a window of at most 20 ms", gaps.Inside.ToString()),
            ScoreRow.Without("further ones inside a wider window: by as much as the process was kept from running, seen from outside", gaps.Widened.ToString()),
            ScoreRow.Without("late gaps that the fixture's own hiccup log excuses (outside all the same)", gaps.Excused.ToString()),
            .. Ticks(runs),
            .. Predictions(runs.Aggregate(PredictionScore.None, (sum, run) => sum + run.Predictions)),
            .. Delays(runs.Aggregate(DelayScore.None, (sum, run) => sum + run.Delays)),
            .. Truth(runs),
            .. Wrong(runs),
        ];
    }

    static IEnumerable<ScoreRow> Ticks(IReadOnlyCollection<RunScore> runs)
    {
        var ticks = runs.Aggregate(default(ExplainedTicks), (sum, run) => sum + run.Ticks);
        yield return ScoreRow.AtLeast("ticks explained afterwards, where no item ended in the second before", 0.97, ticks.Pure);
        yield return ScoreRow.Without("the same where the tool says that it is sure", ticks.PureSure.ToString());
        yield return ScoreRow.Without("all ticks explained afterwards", ticks.All.ToString());
    }

    static IEnumerable<ScoreRow> Predictions(PredictionScore score)
    {
        yield return ScoreRow.AtLeast("number of ticks until the next injection predicted", 0.90, score.Ticks);
        yield return ScoreRow.AtLeast("the same where the tool says that it is sure", 0.96, score.SureTicks);
        yield return ScoreRow.Without("the constant answer \"two ticks\" instead", score.TwoTicks.ToString());
        yield return Milliseconds("time of the predicted tick, where the number is right", score.TimeErrorsMs, 2);
        yield return ScoreRow.Without(
            "the same where the gate's looks come late as a rule, since the target keeps its processors busy",
            score.LateTimeErrorsMs.IsEmpty ? "none" : FormattableString.Invariant($"{new Spread(score.LateTimeErrorsMs).Percentile(0.95):0.0} ms ({score.LateTimeErrorsMs.Length})"));
        yield return Milliseconds("countdown to a cooperative step that is foreseeable", score.CountdownErrorsMs, 30);
        yield return ScoreRow.Zero("injections foretold that did not come, or not foretold that came", score.Failures, $"{Format.Count(score.Ticks.Of + score.CountdownErrorsMs.Length)} scored");
    }

    static IEnumerable<ScoreRow> Delays(DelayScore score)
    {
        var median = new Spread(score.Errors).Median;
        yield return ScoreRow.AtMost("start delay of an item queued now", "median error at most 10 %",
            (median, 0.10, FormattableString.Invariant($"{median * 100:0.0} %")), score.Errors.Length);
        yield return ScoreRow.Without("lower bounds of the start delay that were above the truth", score.BrokenBounds.ToString());
    }

    static ScoreRow Milliseconds(string measure, ImmutableArray<double> errors, double most)
    {
        var p95 = new Spread(errors).Percentile(0.95);
        return ScoreRow.AtMost(measure, FormattableString.Invariant($"95 % within {most:0} ms"),
            (p95, most, FormattableString.Invariant($"{p95:0.0} ms")), errors.Length);
    }

    static IEnumerable<ScoreRow> Truth(IReadOnlyCollection<RunScore> runs)
    {
        var injections = runs.Aggregate(default(InjectionScore), (sum, run) => sum + run.Injections);
        var workers = $"{Format.Count(injections.Workers)} workers above the first goal";
        yield return ScoreRow.Zero("workers of the truth without an injection", injections.Missed, workers);
        yield return ScoreRow.Zero("injections without a worker in the truth, though items waited", injections.Invented, workers);
        var all = $"{Format.Count(runs.Count)} runs";
        yield return ScoreRow.Zero("wrong verdicts", runs.Count(run => !run.Expectation.Verdicts.IsEmpty), all);
        yield return ScoreRow.Zero("findings wrong or missing", runs.Sum(run => run.Expectation.Findings.Length), all);
        yield return ScoreRow.Zero("rules and adjustments wrong or missing", runs.Sum(run => run.Expectation.Others.Length), all);
        yield return ScoreRow.Zero("runs in which events were lost", runs.Count(run => run.Lost > 0), all);
    }

    static IEnumerable<ScoreRow> Wrong(IReadOnlyCollection<RunScore> runs) =>
        from score in runs.SelectMany(run => run.Wrong)
        group score.Fits by score.What into told
        let fits = Share.Sum(told)
        select told.Key == Right
            ? ScoreRow.Without("cooperative steps that fit by the right settings", fits.ToString())
            : ScoreRow.Under($"the same streams judged with {told.Key}", 0.50, fits);
}
