using Tpwatch.Basics;

namespace Tpwatch.WhatIf.Study;

/// <summary>What a change would have done, in words: both bounds where there are two, and nothing that is not known.</summary>
static class WhatIfWords
{
    const string Better = "if the resource that the items wait for serves all at once";
    const string Worse = "If that resource serves no more than now";

    /// <summary>The times, one or two sentences without the last full stop; why there are none where there is no answer.</summary>
    public static string Times(WhatIfAnswer answer)
    {
        if (answer.Unknown is { } why)
        {
            return why.TrimEnd('.');
        }

        var (what, they, of) = answer.Imagined.TotalMs is not null && answer.Worst is null or { TotalMs: not null }
            ? ("all items complete after", "they complete after", (Func<WhatIfFigures, double?>)(f => f.TotalMs))
            : ("an item completes on average after", "it completes after", f => f.LatencyMs);
        var seen = of(answer.Seen) is { } ms ? $" (measured: {Format.Duration(ms)})" : "";
        return answer.Worst is { } worst
            ? $"{what} {Text(of(answer.Imagined))}{seen} {Better}. {Worse}, {they} {Text(of(worst))}"
            : $"{what} {Text(of(answer.Imagined))}{seen}";
    }

    /// <summary>Queue time and workers, sentences without the last full stop.</summary>
    public static string Others(WhatIfAnswer answer)
    {
        // What the capture cut off has no measure of its own to stand beside.
        var whole = answer.Seen.TotalMs is not null;
        var (queue, workers) = (Seen(answer, f => f.StartDelayMs, Format.Duration), Seen(answer, f => f.PeakWorkers, Count));
        string[] told =
        [
            "Mean queue time: " + Range(answer, f => f.StartDelayMs, Format.Duration) + (whole ? Beside(queue) : ""),
            "Most worker threads: " + Range(answer, f => f.PeakWorkers, Count) + (whole ? Beside(workers) : ""),
            whole || queue is null || workers is null ? "" : $"Measured until the capture ended: {queue} and {workers} worker threads",
            answer.Imagined.NeverStarted is > 0 and var stuck ? $"{Format.Plural(stuck, "item")} would not have started" : "",
        ];
        return string.Join(". ", told.Where(text => text.Length > 0));
    }

    static string? Seen(WhatIfAnswer answer, Func<WhatIfFigures, double?> of, Func<double, string> text) =>
        of(answer.Seen) is { } known ? text(known) : null;

    static string Beside(string? measured) => measured is null ? "" : $" (measured: {measured})";

    static string Range(WhatIfAnswer answer, Func<WhatIfFigures, double?> of, Func<double, string> text)
    {
        double?[] bounds = [of(answer.Imagined), answer.Worst is { } worst ? of(worst) : null];
        var told = bounds.OfType<double>().Order().Select(text).Distinct().ToArray();
        return told.Length == 0 ? "?" : string.Join(" to ", told);
    }

    static string Count(double number) => Format.Count((long)number);

    static string Text(double? ms) => ms is { } known ? Format.Duration(known) : "an unknown time";
}
