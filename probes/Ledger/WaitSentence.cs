using Tpwatch.Basics;
using Tpwatch.Model;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>The sentence of a wait that has no adjustment event, with its numbers.</summary>
static class WaitSentence
{
    public static string Of(Mechanism rule, WaitCase given, double longestMs)
    {
        var wait = $"Some item has waited at least {Format.Duration(longestMs)}";
        return rule switch
        {
            Mechanism.G8Ceiling when given.State.Settings.Max is { } max => Ceiling(given, max, longestMs),
            Mechanism.G8Ceiling => $"{wait}. The gate's condition held at several ticks, "
                + $"with {Format.Percent(given.Beat.Cpu ?? 0)} of the processors in use and "
                + $"nothing dequeued for more than 500 ms, and it added nobody to the {Format.Plural(given.Beat.Workers ?? 0, "worker")}: "
                + "max is reached. A call "
                + "has set it before the capture.",
            Mechanism.G14Wedged => $"{Stalled(given)}, {BelowMax(given)}: the gate should have "
                + "added one after at most 1.1 s. A request for a worker was lost, or the pool's counters are out of step.",
            Mechanism.G9DetectorOff => $"{wait}, and the runtime's starvation detection is switched off: only compensation for "
                + $"task waits adds workers{Drain(given)}.",
            Mechanism.G12NotRunning => $"{wait}; for {Format.Duration(given.HinderedMs)} of it the process did not run ({Causes(given)}).",
            _ => Silent(given, wait),
        };
    }

    static string BelowMax(WaitCase given) => given.State.Settings.Max is { } max
        ? $"{Format.Plural(max - given.Beat.Workers ?? 0, "worker")} below max"
        : $"with {Format.Plural(given.Beat.Workers ?? 0, "worker")} on {Format.Plural(given.State.Settings.Processors, "processor")}, "
            + "below which only a call can set max that has set min there first";

    static string Silent(WaitCase given, string wait) =>
        given.State.Settings.Max is not null || Rate(given) >= GateTiming.KeepsAsleepPerSecond
            ? $"{wait}, yet completions keep the runtime's detector asleep: it wants more than 500 ms without a "
                + $"{given.State.Settings.ClockWord}{Drain(given)}."
            : $"{wait} and no worker is added: completions keep the runtime's detector asleep, or max is reached, "
                + $"which is not visible{Drain(given)}.";

    static string Ceiling(WaitCase given, int max, double longestMs) =>
        $"Max is reached ({Format.Plural(max, "worker")}), the backlog is {Format.Plural(given.Beat.Backlog ?? 0, "item")}, "
        + $"one of which has waited at least {Format.Duration(longestMs)}: no rule adds another worker.";

    static string Stalled(WaitCase given) =>
        $"{Format.Plural(given.Beat.Backlog ?? 0, "item")} {(given.Beat.Backlog == 1 ? "waits" : "wait")}, "
        + $"and for {Format.Duration(given.Beats.StalledMs())} nothing was dequeued, "
        + $"nothing completed and no worker was added with the processors at {Format.Percent(given.Beat.Cpu ?? 0)}";

    static string Drain(WaitCase given) => Rate(given) is > 0 and var rate
        ? $"; at {Format.Rate(rate)} {Format.Plural(given.Beat.Backlog ?? 0, "waiting item")} will take "
            + $"{Format.Duration((given.Beat.Backlog ?? 0) * 1000 / rate)}"
        : "";

    static double Rate(WaitCase given) =>
        given.Beat is { Completed: { } done, IntervalMs: > 0 and { } interval } ? done * 1000 / interval : 0;

    static string Causes(WaitCase given) => string.Join(", ", given.Hindrances.Kept
        .Where(h => h.Kind != HindranceKind.ProcessorWait && h.Span.To > given.Since)
        .GroupBy(h => h.Kind).Select(kind => NotRunning.Words(kind.Key)));
}
