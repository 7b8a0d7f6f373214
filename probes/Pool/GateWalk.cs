using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>A gate check of a walk, with the state just before it.</summary>
/// <param name="Tick">The gate check.</param>
/// <param name="Before">The policy's state just before it.</param>
readonly record struct WalkedCheck(PoolCheck Tick, PoolState Before);

/// <summary>
/// Walks over the gate checks of a pool, past or future. The judgement of injection delays, the open delay, the forecast, the simulation of
/// a draining queue and what-if all use it: how one check leads to the next is defined only here and in the policy.
/// </summary>
static class GateWalk
{
    /// <summary>
    /// The gate checks after a state, if only time passes and no check changes the target thread count; endless where there is a gate
    /// thread.
    /// </summary>
    public static IEnumerable<WalkedCheck> From(IInjectionPolicy policy, PoolState state)
    {
        while (policy.NextCheck(state) is { } check)
        {
            yield return new(check, state);
            state = After(policy, state, check);
        }
    }

    /// <summary>The state after a gate check.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="before">The state before it.</param>
    /// <param name="check">The gate check.</param>
    /// <param name="targetThreads">The target thread count that it set; null when unchanged.</param>
    public static PoolState After(IInjectionPolicy policy, PoolState before, PoolCheck check, int? targetThreads = null) =>
        (check.Kind, targetThreads) switch
        {
            (var kind, { } changed) => policy.Apply(before, new PoolInput.TargetThreadsSeen(check.At, changed, ReasonOf(kind))),
            (GateCheckKind.Periodic, _) => policy.Apply(before, new PoolInput.GateChecked(check.At)),
            // No task wait was left to compensate for.
            _ => before with { CooperativeDue = null },
        };

    /// <summary>The reason in the adjustment event of a change made by a check of this kind.</summary>
    static AdjustmentReason ReasonOf(GateCheckKind kind) =>
        kind == GateCheckKind.Periodic ? AdjustmentReason.Starvation : AdjustmentReason.CooperativeBlocking;
}
