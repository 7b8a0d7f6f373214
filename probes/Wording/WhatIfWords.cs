using Tpwatch.Reports;
using Tpwatch.WhatIf;

namespace Tpwatch.Wording;

/// <summary>Builds texts about the simulated effect of a changed setting, with the best and the worst case if they differ.</summary>
static class WhatIfWords
{
    /// <summary>Relative difference up to which two completion times count as equal.</summary>
    const double NoDifference = 0.05;

    const string Better = "if the items do not slow each other down";
    const string Worse = "If the items share a bottleneck (such as a lock)";

    /// <summary>Returns the report with the simulated effects; returns an unchanged report if there is nothing to simulate.</summary>
    public static PoolReport AddTo(PoolReport report, IItemSource source) => AddTo(report, StandardWhatIfs.Answers(report, source));

    /// <summary>Returns the report with the effects of answers that were simulated before.</summary>
    public static PoolReport AddTo(PoolReport report, ImmutableArray<WhatIfAnswer> answers) => answers.IsEmpty ? report : report with
    {
        WhatIf = [.. answers.Select(answer => new WhatIfEffect(
            answer.Change.Words, answer.Unknown is null ? Effect(answer) : "", answer.Basis, answer.Uncertainty)
        {
            Unknown = answer.Unknown, MetLate = answer.Unknown is null && answer.MetLate,
        })],
    };

    /// <summary>Returns when the items complete, in one or two sentences without the last full stop, or why that is unknown.</summary>
    public static string Times(WhatIfAnswer answer)
    {
        if (answer.Unknown is { } why)
        {
            return why.TrimEnd('.');
        }

        if (IsNotFaster(answer))
        {
            return $"not faster: all items still complete after about {Text(answer.Simulated.TotalMs)}";
        }

        var (what, of) = answer.Simulated.TotalMs is not null && answer.Worst is null or { TotalMs: not null }
            ? ("all items complete after", (Func<WhatIfFigures, double?>)(f => f.TotalMs))
            : ("an item completes on average after", f => f.LatencyMs);
        var seen = of(answer.Seen) is { } ms ? $" (measured: {Format.Rough(ms)})" : "";
        return answer.Worst is { } worst
            ? $"{Better}, {what} {Text(of(answer.Simulated))}{seen}. {Worse}, "
                + (of(worst) >= of(answer.Seen) ? "the items complete no sooner than measured" : $"{what} {Text(of(worst))}")
            : $"{what} {Text(of(answer.Simulated))}{seen}";
    }

    /// <summary>
    /// Returns all sentences about an effect: completion times, why items complete no faster if so, queue time and worker threads.
    /// </summary>
    public static string Effect(WhatIfAnswer answer) => string.Join(' ', new[]
    {
        Times(answer) + ".", IsNotFaster(answer) ? answer.Bound : null, Others(answer) + ".",
    }.OfType<string>());

    /// <summary>Returns the queue time and the number of worker threads, as sentences without the last full stop.</summary>
    public static string Others(WhatIfAnswer answer)
    {
        // If items still wait at the end of the capture, their measured waits are incomplete and not comparable.
        var whole = answer.Seen.TotalMs is not null;
        var (queue, workers) = (Seen(answer, f => f.StartDelayMs, Format.Rough), Seen(answer, f => f.PeakWorkers, Count));
        string[] told =
        [
            (IsNotFaster(answer) && answer.Simulated.StartDelayMs < answer.Seen.StartDelayMs / 2
                ? "But items start sooner. " : "")
                + Compared("Mean queue time", Both(answer, f => f.StartDelayMs, Format.Rough), whole ? queue : null),
            Compared("Largest number of worker threads", Both(answer, f => f.PeakWorkers, Count), whole ? workers : null),
            answer.Simulated.NeverStarted is > 0 and var stuck ? $"{Format.Plural(stuck, "item")} would not have started" : "",
        ];
        return string.Join(". ", told.Where(text => text.Length > 0));
    }

    static bool IsNotFaster(WhatIfAnswer answer) =>
        answer is { Worst: null, Simulated.TotalMs: { } then, Seen.TotalMs: { } now } && Math.Abs(then - now) <= NoDifference * now;

    static string? Seen(WhatIfAnswer answer, Func<WhatIfFigures, double?> of, Func<double, string> text) =>
        of(answer.Seen) is { } known ? text(known) : null;

    // Returns a value's sentences: at most two numbers each, so the second bound has a sentence of its own.
    static string Compared(string what, string[] told, string? measured) => $"{what}: " + (told, measured) switch
    {
        ([], _) => "not known",
        ([var one], null) => one,
        ([var one], _) => one == measured ? $"{one}, as measured" : $"{one} (measured: {measured})",
        _ => $"{told[0]}{(measured is null ? "" : $" (measured: {measured})")}. {what} with a shared bottleneck: {told[1]}",
    };

    static string[] Both(WhatIfAnswer answer, Func<WhatIfFigures, double?> of, Func<double, string> text)
    {
        double?[] bounds = [of(answer.Simulated), answer.Worst is { } worst ? of(worst) : null];
        if (bounds is [{ } slow, { } quick] && quick < slow)
        {
            // The bound for slower items can have the smaller value; the text then gives a range from small to large.
            return [$"{text(quick)} to {text(slow)}"];
        }

        return [.. bounds.OfType<double>().Select(text).Distinct()];
    }

    static string Count(double number) => Format.Count((long)number);

    static string Text(double? ms) => ms is { } known ? Format.Rough(known) : "an unknown time";
}
