namespace Tpwatch.Screen.Drawing;

/// <summary>When threads were added for task waits, and whether that is over.</summary>
static class Compensation
{
    /// <summary>Whether the target is back at what it was before the first of them.</summary>
    public static bool IsOver(PoolReport report) => Steps(report).ToList() is [var first, .., var last]
        && last.GoalAfter <= (first.GoalBefore ?? report.Timeline.Target.MinWorkers.Value);

    /// <summary>The first raise of the target that was seen; null where none was.</summary>
    public static Gap? First(PoolReport report) => Steps(report).FirstOrDefault(Tpwatch.Text.GapMark.IsInjection);

    static IEnumerable<Gap> Steps(PoolReport report) => report.Gaps.Where(g => g.Reason == AdjustmentReason.CooperativeBlocking);
}
