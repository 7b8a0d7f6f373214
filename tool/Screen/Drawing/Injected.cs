using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>How many threads the pool added: all of them, as the tab and the findings tell, whatever part of the time is seen.</summary>
static class Injected
{
    /// <summary>The number for a tab.</summary>
    public static string Count(PoolReport report) => Format.Brief(report.Gaps.Count(GapMark.IsInjection)) + (MayBeMore(report) ? "+" : "");

    /// <summary>The same beside the marks, of which fewer may be seen.</summary>
    public static string Note(PoolReport report) =>
        !report.Gaps.Any(GapMark.IsInjection) ? (IsNoneKnown(report) ? "none added" : "")
        // For task waits the target is raised and taken back: a raise is not a thread more.
        : report.Gaps.Any(g => GapMark.IsInjection(g) && g.Reason == AdjustmentReason.CooperativeBlocking)
            ? $"{Count(report)} raises" : $"{Count(report)} in all";

    // Some are kept no longer, or the events that told of them were lost.
    static bool MayBeMore(PoolReport report) => report.EvictedWaits > 0 || report.Timeline.Quality is not { Lost: 0, LossUnknown: false };

    // Of a pool that told nothing of its threads nobody knows whether it added one.
    static bool IsNoneKnown(PoolReport report) => report.Timeline.Levels is not { Workers: null, Goal: null }
        && !MayBeMore(report) && !report.Gaps.Any(MayBeARise);

    // The first adjustment for task waits that is seen: what the target was before is not known.
    static bool MayBeARise(Gap gap) => gap is { Reason: AdjustmentReason.CooperativeBlocking, GoalBefore: null };
}
