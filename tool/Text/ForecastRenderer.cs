using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>The next thread injection and the queue time of a new item, as far as known.</summary>
static class ForecastRenderer
{
    /// <summary>The lines, each with its label; none without a forecast.</summary>
    public static IEnumerable<string> Lines(PoolReport report) => report.Forecast is not { } forecast ? [] :
    [
        .. forecast.NextInjection is { } next ? TextLayout.Fact("next thread", Next(next, forecast.At))
            : None(report) is { } none ? TextLayout.Fact("next thread", none) : [],
        .. DelayWords.NewItem(report) is { } told ? TextLayout.Fact("new item", told) : [],
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
}
