using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>The next thread injection, the queue time of a new item, and the score of earlier predictions, as far as known.</summary>
static class ForecastRenderer
{
    /// <summary>The lines, each with its label; none without a forecast.</summary>
    public static IEnumerable<string> Lines(PoolReport report) => report.Forecast is not { } forecast ? [] :
    [
        .. forecast.NextInjection is { } next ? TextLayout.Fact("next thread", Next(next, forecast.At))
            : None(report) is { } none ? TextLayout.Fact("next thread", none) : [],
        .. Phrases.NewItem(report) is { } told ? TextLayout.Fact("new item", told) : [],
        .. forecast.Score is { Made: > 0 } or { NotForeseeable: > 0 } ? Scored(forecast.Score) : [],
    ];

    static string? None(PoolReport report) =>
        report is { IsNow: true, Verdict: Verdict.StarvedAtMax } && !AtMax.IsInQuestion(report) && AtMax.Reached(report) is { } max
            ? (report.Timeline.Target.MaxWorkers.Value is null ? $"probably none: MaxThreads seems to be {Format.Count(max)}"
                : $"none: MaxThreads ({Format.Count(max)}) is reached") + $" ({Words.Code(Mechanism.G8Ceiling)})"
            : null;

    static string Next(NextInjection next, EventTime now)
    {
        double[] others = [.. next.Windows.Where(w => next.At < w.From || next.At > w.To)
            .Select(w => (w.From.MsSince(now) + w.To.MsSince(now)) / 2)];
        double[] likely = [.. (next.Sure ? [] : others).Append(next.At.MsSince(now))];
        // The row of the open injection delay lists every moment that the rule allows; this line names the predicted one.
        var unlikely = next.Sure && others.Length > 0 ? $" (less likely {In(others)})" : "";
        return $"{In(likely)}{unlikely}, {next.Condition} ({Words.Code(next.Mechanism)})";
    }

    static string In(IEnumerable<double> moments) =>
        "in " + string.Join(" or ", moments.Order().Select(ms => Format.Duration(Math.Max(0, ms))));

    static IEnumerable<string> Scored(ForecastScore score) =>
        Score(score).SelectMany((told, i) => TextLayout.Fact(i == 0 ? "predictions" : "", told));

    /// <summary>Fewest predictions for which a score is shown.</summary>
    const int WorthTelling = 3;

    // One line per kind of prediction: how often it was right. The score of the constant answer is in the JSON report.
    static IEnumerable<string> Score(ForecastScore score)
    {
        var (checks, steps) = (score.Ticks, score.Steps);
        if (checks.Made >= WorthTelling)
        {
            yield return $"Thread injections predicted at the right gate check: {Share(checks.Right, checks.Made)}."
                + (checks.SureMade > 0 ? $" Where tpwatch called itself certain: {Share(checks.SureRight, checks.SureMade)}." : "");
        }

        if (steps.Made >= WorthTelling)
        {
            yield return $"Threads for task waits, predicted correctly: {Share(steps.Right, steps.Made)}.";
        }

        (string What, int Count)[] rest =
        [
            ("Threads that the pool added before tpwatch could predict them", score.NotForeseeable),
            ("Threads added without a prediction", score.Missed),
            ("Predicted threads that the pool did not add", score.Invented),
        ];
        if (rest.Any(r => r.Count > 0))
        {
            yield return string.Join(' ', rest.Where(r => r.Count > 0).Select(r => $"{r.What}: {Format.Count(r.Count)}."));
        }
    }

    static string Share(int right, int made) => $"{Format.Count(right)} of {Format.Count(made)}";
}
