using Tpwatch.Events;
using Tpwatch.Events.Facts;

namespace Tpwatch.Tests.Replay;

/// <summary>Hands facts on with something about them changed, to show that the judgement depends on it.</summary>
sealed class ChangedFacts(IFactSink inner) : IFactSink
{
    /// <summary>What the target is made to count; null leaves it.</summary>
    public int? Processors { get; init; }

    /// <summary>Task waits told as the other kind of blocking, and the other way round.</summary>
    public bool OtherReason { get; init; }

    public void On(in StreamOpened fact) => inner.On(fact with { Processors = Processors ?? fact.Processors });

    public void On(in WorkerGoalChanged fact) => inner.On(OtherReason ? fact with { Reason = Other(fact.Reason) } : fact);

    public void On(in ThroughputSampled fact) => inner.On(fact);

    public void On(in WorkerStarted fact) => inner.On(fact);

    public void On(in WorkerStopped fact) => inner.On(fact);

    public void On(in WorkerWaited fact) => inner.On(fact);

    public void On(in ThreadCreated fact) => inner.On(fact);

    public void On(in ThreadBegan fact) => inner.On(fact);

    // The limits of the target's configuration are the ones that a test sets.
    public void On(in LimitsChanged fact)
    {
    }

    public void On(in CountersRead fact) => inner.On(fact);

    public void On(in HeartbeatOverruled fact) => inner.On(fact);

    public void On(in ProcessorsCounted fact) => inner.On(fact with { Count = Processors ?? fact.Count });

    public void On(in SwitchSeen fact) => inner.On(fact);

    public void On(in ThreadsSuspended fact) => inner.On(fact);

    public void On(in ProcessSampled fact) => inner.On(fact);

    public void On(in ClockSeen fact) => inner.On(fact);

    public void On(in EventsLost fact) => inner.On(fact);

    public void On(in EventUndecodable fact) => inner.On(fact);

    static AdjustmentReason Other(AdjustmentReason reason) => reason switch
    {
        AdjustmentReason.Starvation => AdjustmentReason.CooperativeBlocking,
        AdjustmentReason.CooperativeBlocking => AdjustmentReason.Starvation,
        _ => reason,
    };
}
