using Tpwatch.Basics;

namespace Tpwatch.WhatIf.Study;

/// <summary>What a change would have done, in words: both bounds where there are two, and nothing that is not known.</summary>
static class WhatIfWords
{
    const string Better = "if the resource that they wait for serves all at once";
    const string Worse = "if it serves no more than now";

    /// <summary>The times, one plain line without a full stop; why there is none where there is no answer.</summary>
    public static string Times(WhatIfAnswer answer)
    {
        if (answer.Unknown is { } why)
        {
            return why.TrimEnd('.');
        }

        var (what, of) = answer.Imagined.TotalMs is not null && answer.Worst is null or { TotalMs: not null }
            ? ("all items complete after", (Func<WhatIfFigures, double?>)(f => f.TotalMs))
            : ("an item completes on average after", f => f.LatencyMs);
        var seen = of(answer.Seen) is { } ms ? $" (measured: {Format.Duration(ms)})" : "";
        return answer.Worst is { } worst
            ? $"{what} {Text(of(answer.Imagined))} {Better}, or after {Text(of(worst))} {Worse}{seen}"
            : $"{what} {Text(of(answer.Imagined))}{seen}";
    }

    /// <summary>Queue time and workers, one line without a full stop.</summary>
    public static string Others(WhatIfAnswer answer)
    {
        var queue = $"mean queue time {Range(answer, f => f.StartDelayMs, Format.Duration)}";
        var workers = $"most worker threads {Range(answer, f => f.PeakWorkers, n => Format.Count((long)n))}";
        return answer.Imagined.NeverStarted > 0
            ? $"{queue}, {workers}; {Format.Plural(answer.Imagined.NeverStarted, "item")} would not have started" : $"{queue}, {workers}";
    }

    static string Range(WhatIfAnswer answer, Func<WhatIfFigures, double?> of, Func<double, string> text)
    {
        var better = of(answer.Imagined) is { } one ? text(one) : "?";
        var worse = answer.Worst is { } worst && of(worst) is { } other ? text(other) : better;
        var seen = of(answer.Seen) is { } known ? $" (measured: {text(known)})" : "";
        return $"{(better == worse ? better : $"{better} to {worse}")}{seen}";
    }

    static string Text(double? ms) => ms is { } known ? Format.Duration(known) : "an unknown time";
}
