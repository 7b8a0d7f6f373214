using Tpwatch.Reports;

namespace Tpwatch.Model;

/// <summary>One moment at which the pool looks, and what is known when it does.</summary>
/// <param name="Wake">The moment.</param>
/// <param name="Before">What the policy knows just before it.</param>
readonly record struct GateLook(Wake Wake, PoolState Before);

/// <summary>
/// The one walk over the moments at which a pool looks, gone by or to come. The judge, the open gap, the forecast, a backlog that drains
/// and a what-if all go by it: how one look leads to the next is written here and in the policy, nowhere else.
/// </summary>
static class GateWalk
{
    /// <summary>
    /// The looks from a state on, if nothing happens but time and none of them changes the goal; without end where there is a gate.
    /// </summary>
    public static IEnumerable<GateLook> From(IInjectionPolicy policy, PoolState state)
    {
        while (policy.NextWake(state) is { } wake)
        {
            yield return new(wake, state);
            state = After(policy, state, wake);
        }
    }

    /// <summary>The state after a look.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="before">What was known before it.</param>
    /// <param name="wake">The look.</param>
    /// <param name="goal">The goal that it set; null when it left it as it was.</param>
    public static PoolState After(IInjectionPolicy policy, PoolState before, Wake wake, int? goal = null) => (wake.Kind, goal) switch
    {
        (var kind, { } changed) => policy.Apply(before, new PoolInput.GoalSeen(wake.At, changed, ReasonOf(kind))),
        (WakeKind.Tick, _) => policy.Apply(before, new PoolInput.Ticked(wake.At)),
        // Nothing was left to compensate for.
        _ => before with { CooperativeDue = null },
    };

    /// <summary>What the adjustment's event says of a change that was made at such a look.</summary>
    static AdjustmentReason ReasonOf(WakeKind kind) =>
        kind == WakeKind.Tick ? AdjustmentReason.Starvation : AdjustmentReason.CooperativeBlocking;
}
