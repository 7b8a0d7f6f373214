using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>The count of injections in the whole capture, as on the tab and in the findings, whatever time is on the screen.</summary>
static class Injected
{
    /// <summary>The count for a tab.</summary>
    public static string Count(PoolReport report) =>
        Format.Brief(report.InjectionDelays.Count(DelayMark.IsInjection)) + (MayBeMore(report) ? "+" : "");

    /// <summary>The count as a note next to the marks, of which only some may be on the screen.</summary>
    public static string Note(PoolReport report) =>
        !report.InjectionDelays.Any(DelayMark.IsInjection) ? (IsNoneKnown(report) ? "none added" : "")
        // For task waits the target thread count is raised and lowered again, so a raise is not always an added thread.
        : report.InjectionDelays.Any(g => DelayMark.IsInjection(g) && g.Reason == AdjustmentReason.CooperativeBlocking)
            ? $"{Count(report)} raises" : $"{Count(report)} in all";

    // Some injections are no longer kept, or their events were lost.
    static bool MayBeMore(PoolReport report) => report.EvictedWaits > 0 || report.Timeline.Quality is not { Lost: 0, LossUnknown: false };

    // Without any thread count from the pool it is not known whether it added a thread.
    static bool IsNoneKnown(PoolReport report) => report.Timeline.Levels is not { Workers: null, TargetThreads: null }
        && !MayBeMore(report) && !report.InjectionDelays.Any(MayBeARise);

    // For the first adjustment for task waits the previous target thread count is not known, so it may be a rise.
    static bool MayBeARise(InjectionDelay delay) => delay is { Reason: AdjustmentReason.CooperativeBlocking, TargetThreadsBefore: null };
}
