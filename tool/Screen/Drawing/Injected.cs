using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>Counts the injections of the whole capture, as the tab and the findings do, whatever time the screen shows.</summary>
static class Injected
{
    /// <summary>Returns the count for a tab.</summary>
    public static string Count(PoolReport report) =>
        Format.Brief(report.InjectionDelays.Count(DelayMark.IsInjection)) + (MayBeMore(report) ? "+" : "");

    /// <summary>Returns the count as a note next to the marks, because the screen may show only some of the marks.</summary>
    public static string Note(PoolReport report) =>
        !report.InjectionDelays.Any(DelayMark.IsInjection) ? (IsNoneKnown(report) ? "none added" : "")
        // For task waits the target thread count is raised and lowered again, so a raise is not always an added thread.
        : report.InjectionDelays.Any(g => DelayMark.IsInjection(g) && g.Reason == AdjustmentReason.CooperativeBlocking)
            ? $"{Count(report)} raises" : $"{Count(report)} in all";

    // Whether the capture may have had more injections: some are no longer kept, or their events were lost.
    static bool MayBeMore(PoolReport report) => report.EvictedWaits > 0 || report.Timeline.Quality is not { Lost: 0, LossUnknown: false };

    // Without any thread count from the pool, tpwatch does not know whether the pool added a thread.
    static bool IsNoneKnown(PoolReport report) => report.Timeline.Levels is not { Workers: null, TargetThreads: null }
        && !MayBeMore(report) && !report.InjectionDelays.Any(MayBeARise);

    // Before the first adjustment for task waits the target thread count is not known, so that adjustment may be a rise.
    static bool MayBeARise(InjectionDelay delay) => delay is { Reason: AdjustmentReason.CooperativeBlocking, TargetThreadsBefore: null };
}
