using Tpwatch.Pool;

namespace Tpwatch.Ledger;

/// <summary>One cooperative adjustment with what was known before it.</summary>
/// <param name="Settings">Processors, min, max.</param>
/// <param name="GoalBefore">Goal before, or null on a late attach.</param>
/// <param name="GoalAfter">Goal after.</param>
/// <param name="At">Its event time.</param>
/// <param name="PreviousStep">The cooperative rise before it, while the goal has not been lowered since.</param>
/// <param name="LastStart">The last start of a worker, which may have begun to wait for a task.</param>
/// <param name="Existing">Workers that existed.</param>
sealed record CooperativeCase(
    PoolSettings Settings, int? GoalBefore, int GoalAfter, EventTime At,
    EventTime? PreviousStep, EventTime? LastStart, int? Existing) : GapCase(At)
{
    /// <summary>
    /// Whether a call that set limits has come since that step, and stands in its place: it has task waits counted anew.
    /// </summary>
    public bool IsSinceCall { get; init; }
}
