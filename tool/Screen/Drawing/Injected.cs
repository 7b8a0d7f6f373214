using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>The count of injections in the whole capture, as on the tab and in the findings, whatever time is on the screen.</summary>
static class Injected
{
    /// <summary>The count for a tab.</summary>
    public static string Count(PoolReport report) => Format.Brief(report.Gaps.Count(GapMark.IsInjection)) + (MayBeMore(report) ? "+" : "");

    /// <summary>The count as a note next to the marks, of which only some may be on the screen.</summary>
    public static string Note(PoolReport report) =>
        !report.Gaps.Any(GapMark.IsInjection) ? (IsNoneKnown(report) ? "none added" : "")
        // For task waits the target thread count is raised and lowered again, so a raise is not always an added thread.
        : report.Gaps.Any(g => GapMark.IsInjection(g) && g.Reason == AdjustmentReason.CooperativeBlocking)
            ? $"{Count(report)} raises" : $"{Count(report)} in all";

    // Some injections are no longer kept, or their events were lost.
    static bool MayBeMore(PoolReport report) => report.EvictedWaits > 0 || report.Timeline.Quality is not { Lost: 0, LossUnknown: false };

    // Without any thread count from the pool it is not known whether it added a thread.
    static bool IsNoneKnown(PoolReport report) => report.Timeline.Levels is not { Workers: null, Goal: null }
        && !MayBeMore(report) && !report.Gaps.Any(MayBeARise);

    // For the first adjustment for task waits the previous target thread count is not known, so it may be a rise.
    static bool MayBeARise(Gap gap) => gap is { Reason: AdjustmentReason.CooperativeBlocking, GoalBefore: null };
}
