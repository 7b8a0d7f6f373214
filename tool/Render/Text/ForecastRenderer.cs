using Tpwatch.Basics;
using Tpwatch.Render.Shared;
using Tpwatch.Reports;

namespace Tpwatch.Render.Text;

/// <summary>What comes next, and how good predictions have been; nothing where nothing waits and nothing was predicted.</summary>
static class ForecastRenderer
{
    /// <summary>The lines, each with its label.</summary>
    public static IEnumerable<string> Lines(PoolReport report) => report.Forecast is not { } forecast ? [] :
    [
        .. forecast.NextInjection is { } next ? TextLayout.Fact("next thread", Next(next, forecast.At)) : [],
        .. forecast.StartDelayOfNewItem is { IsKnown: true } delay ? TextLayout.Fact("new item", NewItem(delay, forecast.BacklogGone)) : [],
        .. forecast.Score is { Made: > 0 } or { NotForeseeable: > 0 } ? Scored(forecast.Score) : [],
    ];

    static string Next(NextInjection next, EventTime now)
    {
        var first = Format.Duration(Math.Max(0, next.At.MsSince(now)));
        var other = next.Sure ? "" : string.Concat(next.Windows.Where(w => next.At < w.From || next.At > w.To)
            .Select(w => $" or {Format.Duration(Math.Max(0, (w.From.MsSince(now) + w.To.MsSince(now)) / 2))}"));
        return $"in {first}{other}, {next.Condition} ({Words.Code(next.Mechanism)})";
    }

    static string NewItem(StartDelay delay, BacklogGone? gone)
    {
        var starts = delay is { EstimateMs: { } estimate, MaxMs: { } most }
            ? $"an item queued now starts after {Format.Duration(estimate)} ({Format.Duration(delay.MinMs)} to {Format.Duration(most)})"
            : $"an item queued now starts after at least {Format.Duration(delay.MinMs)}: no item has completed since items began to wait";
        return starts + gone switch
        {
            { At: { } at } => $"; the queue is empty after {Format.Duration(at.MsSince(delay.At))}",
            { Never: true } => $"; at this rate the queue is never empty: {gone.Basis.TrimEnd('.')}",
            _ => "",
        };
    }

    static IEnumerable<string> Scored(ForecastScore score) =>
        Score(score).SelectMany((told, i) => TextLayout.Fact(i == 0 ? "predictions" : "", told));

    // One line a kind of prediction: how often it was right, and beside it what is right without a model.
    static IEnumerable<string> Score(ForecastScore score)
    {
        var (ticks, steps) = (score.Ticks, score.Steps);
        if (ticks.Made > 0)
        {
            yield return $"The gate check that adds the next thread was predicted correctly {Share(ticks.Right, ticks.Made)} times"
                + (ticks.SureMade > 0 ? $". When tpwatch was certain: {Share(ticks.SureRight, ticks.SureMade)}" : "")
                + $". Always naming the second check would give {Share(ticks.ConstantTwoRight, ticks.Made)}.";
        }

        if (steps.Made > 0)
        {
            yield return $"Threads for task waits: {Share(steps.Right, steps.Made)} correct.";
        }

        if (score.NotForeseeable + score.Missed + score.Invented > 0)
        {
            yield return $"Threads that came too soon to predict: {Format.Count(score.NotForeseeable)}. Others that came unpredicted: "
                + $"{Format.Count(score.Missed)}. Predicted, but did not come: {Format.Count(score.Invented)}.";
        }
    }

    static string Share(int right, int made) => $"{Format.Count(right)} of {Format.Count(made)}";
}
