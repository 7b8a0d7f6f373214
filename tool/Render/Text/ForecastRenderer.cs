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
        .. forecast.Score is { Made: > 0 } or { NotForeseeable: > 0 } ? TextLayout.Fact("predictions", Score(forecast.Score)) : [],
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

    static string Sure(TickScore ticks) => ticks.SureMade == 0 ? "" : $"{ticks.SureRight} of {ticks.SureMade} when certain; ";

    static string Score(ForecastScore score)
    {
        var (ticks, steps) = (score.Ticks, score.Steps);
        string[] parts =
        [
            .. ticks.Made > 0 ? [$"the gate check that adds the next thread, right {ticks.Right} of {Format.Plural(ticks.Made, "time")} "
                + $"({Sure(ticks)}{ticks.ConstantTwoRight} if it always named the second check)"] : Array.Empty<string>(),
            .. steps.Made > 0 ? [$"{steps.Right} of "
                + $"{Format.Plural(steps.Made, "thread for task waits", "threads for task waits")} correct"] : Array.Empty<string>(),
            .. score.NotForeseeable > 0 ? [$"{Format.Plural(score.NotForeseeable, "thread")} came too soon to predict"]
                : Array.Empty<string>(),
            .. score.Missed > 0 ? [$"{Format.Plural(score.Missed, "thread")} came unpredicted"] : Array.Empty<string>(),
            .. score.Invented > 0 ? [$"{Format.Plural(score.Invented, "predicted thread")} did not come"] : Array.Empty<string>(),
        ];
        return string.Join("; ", parts);
    }
}
