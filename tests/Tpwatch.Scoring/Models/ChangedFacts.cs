using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Scoring.Models;

/// <summary>Hands facts on with something about them changed, to show that the judgement depends on it.</summary>
sealed class ChangedFacts(IFactSink inner) : PassedFacts(inner)
{
    /// <summary>What the target is made to count; null leaves it.</summary>
    public int? Processors { get; init; }

    /// <summary>Task waits told as the other kind of blocking, and the other way round.</summary>
    public bool OtherReason { get; init; }

    public override void On(in StreamOpened fact) => Inner.On(fact with { Processors = Processors ?? fact.Processors });

    public override void On(in TargetThreadsChanged fact) => Inner.On(OtherReason ? fact with { Reason = Other(fact.Reason) } : fact);

    // The limits of the target's configuration are the ones that a test sets.
    public override void On(in LimitsChanged fact)
    {
    }

    public override void On(in ProcessorsCounted fact) => Inner.On(fact with { Count = Processors ?? fact.Count });

    static AdjustmentReason Other(AdjustmentReason reason) => reason switch
    {
        AdjustmentReason.Starvation => AdjustmentReason.CooperativeBlocking,
        AdjustmentReason.CooperativeBlocking => AdjustmentReason.Starvation,
        _ => reason,
    };
}
