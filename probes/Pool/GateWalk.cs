using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>A tick on the walk, and what is known when it comes.</summary>
/// <param name="Tick">The moment.</param>
/// <param name="Before">What the policy knows just before it.</param>
readonly record struct WalkedTick(PoolTick Tick, PoolState Before);

/// <summary>
/// The one walk over the ticks of a pool, gone by or to come. The judge, the open gap, the forecast, a backlog that drains
/// and a what-if all go by it: how one tick leads to the next is written here and in the policy, nowhere else.
/// </summary>
static class GateWalk
{
    /// <summary>
    /// The ticks from a state on, if nothing happens but time and none of them changes the goal; without end where there is a gate.
    /// </summary>
    public static IEnumerable<WalkedTick> From(IInjectionPolicy policy, PoolState state)
    {
        while (policy.NextTick(state) is { } tick)
        {
            yield return new(tick, state);
            state = After(policy, state, tick);
        }
    }

    /// <summary>The state after a tick.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="before">What was known before it.</param>
    /// <param name="tick">The tick.</param>
    /// <param name="goal">The goal that it set; null when it left it as it was.</param>
    public static PoolState After(IInjectionPolicy policy, PoolState before, PoolTick tick, int? goal = null) => (tick.Kind, goal) switch
    {
        (var kind, { } changed) => policy.Apply(before, new PoolInput.GoalSeen(tick.At, changed, ReasonOf(kind))),
        (TickKind.Periodic, _) => policy.Apply(before, new PoolInput.Ticked(tick.At)),
        // Nothing was left to compensate for.
        _ => before with { CooperativeDue = null },
    };

    /// <summary>What the adjustment's event says of a change that was made at such a tick.</summary>
    static AdjustmentReason ReasonOf(TickKind kind) =>
        kind == TickKind.Periodic ? AdjustmentReason.Starvation : AdjustmentReason.CooperativeBlocking;
}
