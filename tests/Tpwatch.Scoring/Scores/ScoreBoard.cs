using System.Text;
using Tpwatch.Core;

namespace Tpwatch.Scoring.Scores;

/// <summary>The measures over all runs, beside their goals.</summary>
static class ScoreBoard
{
    /// <summary>The right settings are judged as well, so that a wrong one has something to be worse than.</summary>
    const string Right = "the right settings";

    /// <param name="runs">What was scored.</param>
    /// <param name="quiet">On a machine with a busy neighbour the windows and the looks are printed without a goal.</param>
    public static ImmutableArray<ScoreRow> Of(IReadOnlyCollection<RunScore> runs, bool quiet)
    {
        var delays = runs.Aggregate(default(GapScore), (sum, run) => sum + run.InjectionDelays);
        return
        [
            quiet
                ? ScoreRow.AtLeast("timed waits inside a window of at most 20 ms", 0.98, delays.Inside)
                : ScoreRow.Without("timed waits inside a window of at most 20 ms", delays.Inside.ToString()),
            ScoreRow.Without("waits that are timed at all: a rule with a clock judged them", delays.Timed.ToString()),
            ScoreRow.Without("waits that no rule explains", delays.Unexplained.ToString()),
            ScoreRow.Without("timed waits inside a wider window: by as much as the process was kept from running, seen from outside",
                delays.Widened.ToString()),
            ScoreRow.Without("late waits that the fixture's own hiccup log excuses (outside all the same)", delays.Excused.ToString()),
            .. Ticks(runs, quiet),
            .. Foretold(runs, quiet),
            .. Truth(runs),
            .. Wrong(runs),
        ];
    }

    static IEnumerable<ScoreRow> Foretold(IReadOnlyCollection<RunScore> runs, bool quiet) =>
    [
        .. Predictions(runs.Aggregate(PredictionScore.None, (sum, run) => sum + run.Predictions), quiet),
        .. Delays(runs.Aggregate(DelayScore.None, (sum, run) => sum + run.Delays)),
        .. Queue(runs.Aggregate(QueueScore.None, (sum, run) => sum + run.Queue)),
    ];

    static IEnumerable<ScoreRow> Ticks(IReadOnlyCollection<RunScore> runs, bool quiet)
    {
        var checks = runs.Aggregate(default(ExplainedTicks), (sum, run) => sum + run.Ticks);
        const string Pure = "ticks explained afterwards, where no item ended in the second before";
        yield return quiet ? ScoreRow.AtLeast(Pure, 0.97, checks.Pure) : ScoreRow.Without(Pure, checks.Pure.ToString());
        yield return ScoreRow.Without("the same where the tool says that it is sure", checks.PureSure.ToString());
        yield return ScoreRow.Without("all ticks explained afterwards", checks.All.ToString());
    }

    static IEnumerable<ScoreRow> Predictions(PredictionScore score, bool quiet)
    {
        yield return ScoreRow.NotBelow("look of the gate that adds the next worker, as it could be read before",
            "the better constant answer", score.Ticks, Better(score));
        yield return ScoreRow.Without("the constant answer \"two looks\" instead", score.TwoTicks.ToString());
        yield return ScoreRow.Without("the answer \"as long as the last one\" instead", score.AsLast.ToString());
        yield return Milliseconds("moment of the look, where it is the right one, to the first line of the new worker's item",
            score.TimeErrorsMs, quiet ? 5 : 100);
        yield return ScoreRow.AtLeast("steps for task waits foretold to within 30 ms", 0.95, score.Steps);
        yield return Milliseconds("countdown to a step for task waits", score.CountdownErrorsMs, 30);
        var scored = $"{Format.Count(score.Ticks.Of + score.Steps.Of)} scored";
        yield return ScoreRow.Zero("workers that came though none was foretold and nothing else had happened", score.Missed, scored);
        yield return ScoreRow.Zero("workers foretold that did not come though nothing else had happened", score.Invented, scored);
        foreach (var (reason, count) in score.Unscored)
        {
            yield return ScoreRow.Without($"workers left unscored: {Words(reason)}", Format.Count(count));
        }
    }

    static Share Better(PredictionScore score) => score.TwoTicks.Part >= score.AsLast.Part ? score.TwoTicks : score.AsLast;

    static string Words(Unscored reason) => reason switch
    {
        Unscored.BeforeAnythingWasRead => "they came sooner than the stream brings what they follow from",
        Unscored.BacklogTooYoung => "nothing had waited until a second before, which no counter had told yet",
        Unscored.FirstSeen => "they came within a second of attaching, or are the first that came after it",
        Unscored.ItemsWereTaken => "other workers took items in between",
        Unscored.Standstill => "the machine did not let the process run meanwhile",
        _ => "the pool stood at its max, which nothing had told",
    };

    static IEnumerable<ScoreRow> Delays(DelayScore score)
    {
        var median = new Spread(score.Errors).Median;
        yield return ScoreRow.AtMost("start delay of an item queued now", "median error at most 10 %",
            (median, 0.10, $"{median * 100:0.0} %"), score.Errors.Length);
        yield return ScoreRow.Without("the constant answer \"as long as the item waited that began last\" instead",
            Percent(new Spread(score.AsLast).Median));
        yield return ScoreRow.Without("the answer \"what waits, at the rate of the second before\" instead",
            Percent(new Spread(score.AsRate).Median));
        yield return Nearer("moments at which the start delay was nearer than by that rate", score.Errors, score.AsRate);
        yield return ScoreRow.Without("lower bounds of the start delay that were above the truth", score.BrokenBounds.ToString());
    }

    static IEnumerable<ScoreRow> Queue(QueueScore score)
    {
        var (median, constant) = (new Spread(score.Errors).Median, new Spread(score.AsBefore).Median);
        yield return ScoreRow.AtMost("moment at which the queue is empty", "median error at most that of the constant answer",
            (median, constant, Percent(median)), score.Errors.Length);
        yield return ScoreRow.Without("the constant answer \"as in the second before\" instead", Percent(constant));
        yield return Nearer("moments at which it was nearer than the constant answer", score.Errors, score.AsBefore);
    }

    // Of those at which the two differ.
    static ScoreRow Nearer(string measure, ImmutableArray<double> errors, ImmutableArray<double> others)
    {
        var differing = errors.Zip(others).Where(pair => pair.First != pair.Second).ToArray();
        return ScoreRow.AtLeast(measure, 0.5, new(differing.Count(pair => pair.First < pair.Second), differing.Length));
    }

    static string Percent(double share) =>
        double.IsPositiveInfinity(share) ? "never" : $"{share * 100:0.0} %";

    static ScoreRow Milliseconds(string measure, ImmutableArray<double> errors, double most)
    {
        var p95 = new Spread(errors).Percentile(0.95);
        return ScoreRow.AtMost(measure, $"95 % within {most:0} ms",
            (p95, most, $"{p95:0.0} ms"), errors.Length);
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
        yield return ScoreRow.Zero("rules and adjustments wrong or missing", runs.Sum(run => run.Expectation.Rules.Length), all);
        yield return ScoreRow.Zero("contradictions with the fixture's record: workers, injections, gaps, proven waits",
            runs.Sum(run => run.Expectation.Record.Length), all);
        yield return ScoreRow.Zero("runs in which events were lost", runs.Count(run => run.Lost > 0), all);
    }

    static IEnumerable<ScoreRow> Wrong(IReadOnlyCollection<RunScore> runs) =>
        from score in runs.SelectMany(run => run.Wrong)
        group score.AsExpected by score.What into told
        let fits = Share.Sum(told)
        select told.Key == Right
            ? ScoreRow.Without("cooperative steps that fit by the right settings", fits.ToString())
            : ScoreRow.Under($"the same streams judged with {told.Key}", 0.50, fits);
}

/// <summary>One measure of the table: what was to be reached, and what was.</summary>
/// <param name="Met">Whether the goal is met; null where there is none, or nothing was measured.</param>
sealed record ScoreRow(string Measure, string TargetThreads, string Measured, bool? Met)
{
    public static ScoreRow AtLeast(string measure, double targetThreads, Share share) =>
        new(measure, $"at least {targetThreads * 100:0} %",
            share.ToString(), share.Of == 0 ? null : share.Ratio >= targetThreads);

    /// <summary>A share that another one of the same cases may not exceed.</summary>
    public static ScoreRow NotBelow(string measure, string targetThreads, Share share, Share other) =>
        new(measure, $"not below {targetThreads}", share.ToString(), share.Of == 0 ? null : share.Ratio >= other.Ratio);

    public static ScoreRow Under(string measure, double targetThreads, Share share) =>
        new(measure, $"under {targetThreads * 100:0} %", share.ToString(), share.Of == 0 ? null
            : share.Ratio < targetThreads);

    public static ScoreRow Zero(string measure, int count, string of) => new(measure, "0", $"{Format.Count(count)} of {of}", count == 0);

    public static ScoreRow Without(string measure, string measured) => new(measure, "", measured, null);

    /// <summary>The goals of a command that prints these rows.</summary>
    public static Goals GoalsOf(IEnumerable<ScoreRow> rows) =>
        rows.Aggregate(new Goals(), (goals, row) => goals.Add($"{row.Measure}: {row.Measured}, goal {row.TargetThreads}",
            row.Met != false));

    /// <summary>A value of many errors, such as their median, that may be so large at most.</summary>
    public static ScoreRow AtMost(string measure, string targetThreads, (double Value, double Limit, string Text) error, int count) =>
        count == 0
        ? new(measure, targetThreads, "none", null)
        : new(measure, targetThreads, $"{error.Text} ({Format.Count(count)})", error.Value <= error.Limit);
}

/// <summary>One section of tests/SCORES.md: the measures, what is wrong, and every run.</summary>
static class ScoresPage
{
    /// <param name="machine">On what, and when.</param>
    /// <param name="runs">What was scored.</param>
    /// <param name="failures">Runs of which nothing could be scored, with the reason.</param>
    /// <param name="quiet">Whether nothing else had the machine.</param>
    public static string Section(string machine, IReadOnlyCollection<RunScore> runs, IReadOnlyCollection<string> failures, bool quiet)
    {
        var text = new StringBuilder(machine).Append("\n\n").Append(Table(ScoreBoard.Of(runs, quiet)));
        Differences(text, runs, failures);
        text.Append("\n| run | verdict | timed | inside | ticks explained | look foretold | workers, missed, "
            + "invented |\n|---|---|---|---|---|---|---|\n");
        foreach (var run in runs)
        {
            text.Append($"| `{run.Name}` | {run.Verdict} | {run.InjectionDelays.Timed} | {run.InjectionDelays.Inside} | {run.Ticks.Pure} | "
                    + $"{run.Predictions.Ticks} | {run.Injections.Workers}, {run.Injections.Missed}, {run.Injections.Invented} |\n");
        }

        return text.ToString();
    }

    static string Table(IEnumerable<ScoreRow> rows)
    {
        var text = new StringBuilder("| measure | goal | measured | |\n|---|---|---|---|\n");
        foreach (var row in rows)
        {
            text.Append($"| {row.Measure} | {row.TargetThreads} | {row.Measured} | {Met(row.Met)} |\n");
        }

        return text.ToString();
    }

    static string Met(bool? met) => met switch { true => "met", false => "**missed**", null => "" };

    static void Differences(StringBuilder text, IReadOnlyCollection<RunScore> runs, IReadOnlyCollection<string> failures)
    {
        var different = runs.SelectMany(run => run.Expectation.All.Select(one => $"- `{run.Name}`: {one}\n")).ToArray();
        if (different.Length > 0)
        {
            text.Append("\nOther than the record says:\n\n").AppendJoin("", different);
        }

        if (failures.Count > 0)
        {
            text.Append("\nNot scored:\n\n").AppendJoin("", failures.Select(failure => $"- {failure}\n"));
        }
    }
}
