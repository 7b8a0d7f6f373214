using Tpwatch.Timeline;

namespace Tpwatch.Explain;

/// <summary>Whether the process itself did not run for so long that this, and not the pool, is what delays its work.</summary>
static class NotThePool
{
    /// <summary>What a pool is blamed for, a wait of a second, is enough for this too.</summary>
    const double OneLongMs = 1000;

    /// <summary>Or many shorter stretches: each longer than a user notices, and in all a tenth of the time.</summary>
    const double EachMs = 50;
    const double Share = 0.1;

    /// <summary>Waits for a processor are left out: how long one thread waited says little of the others.</summary>
    public static bool Explains(TimelineSnapshot timeline) => Worst(timeline) is not null;

    /// <summary>The cause in words, with its numbers.</summary>
    public static string Cause(TimelineSnapshot timeline) => Worst(timeline) is not { } worst
        ? "the process itself did not run for most of it."
        : worst.Kind switch
        {
            HindranceKind.Suspension => $"the runtime suspended all threads {Times(worst)}, mostly for garbage collections. Look at allocation and at the size of the heap.",
            HindranceKind.Stopped => $"the process was stopped {Times(worst)}, by a signal, a debugger, or as a paused container.",
            _ => $"its control group had used up its quota of processor time and was throttled for {Format.Duration(worst.Ms)}{Of(timeline)}. Raise the quota.",
        };

    static string Times(HindranceTotal worst) =>
        $"{Format.Plural(worst.Count, "time")} for {Format.Duration(worst.Ms)} in all (longest {Format.Duration(worst.LongestMs)})";

    static string Of(TimelineSnapshot timeline) => $" of {Format.Duration(timeline.Now.MsSince(timeline.Start))}";

    static HindranceTotal? Worst(TimelineSnapshot timeline)
    {
        var whole = timeline.Now.MsSince(timeline.Start);
        return timeline.HindranceTotals
            .Where(t => t.Kind != HindranceKind.ProcessorWait && (t.LongestMs >= OneLongMs || (t.LongestMs >= EachMs && t.Ms >= Share * whole)))
            .MaxBy(t => t.Ms);
    }
}
