using Tpwatch.Pool;

namespace Tpwatch.Ledger;

/// <summary>One adjustment by blocking compensation with the state known before it.</summary>
/// <param name="Settings">Processors, MinThreads, MaxThreads.</param>
/// <param name="TargetThreadsBefore">Target thread count before; null when tpwatch attached too late to know it.</param>
/// <param name="TargetThreadsAfter">Target thread count after.</param>
/// <param name="At">Its event time.</param>
/// <param name="PreviousStep">The previous rise by blocking compensation, while the target thread count has not been lowered since.</param>
/// <param name="LastStart">The last start of a worker thread, which may have begun to wait for a task.</param>
/// <param name="Existing">Number of worker threads that existed.</param>
sealed record CooperativeCase(
    PoolSettings Settings, int? TargetThreadsBefore, int TargetThreadsAfter, EventTime At,
    EventTime? PreviousStep, EventTime? LastStart, int? Existing) : DelayCase(At)
{
    /// <summary>
    /// Whether <see cref="PreviousStep"/> is the time of a later call that set limits: after such a call the pool counts task waits again.
    /// </summary>
    public bool IsSinceCall { get; init; }
}
