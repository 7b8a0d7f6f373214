using Tpwatch.Events;

namespace Tpwatch.Scoring.Models;

/// <summary>Hands every fact on as it is.</summary>
abstract class PassedFacts(IFactSink inner) : IFactSink
{
    protected IFactSink Inner => inner;

    public virtual void On(in StreamOpened fact) => inner.On(fact);

    public virtual void On(in TargetThreadsChanged fact) => inner.On(fact);

    public virtual void On(in ThroughputSampled fact) => inner.On(fact);

    public virtual void On(in WorkerStarted fact) => inner.On(fact);

    public virtual void On(in WorkerStopped fact) => inner.On(fact);

    public virtual void On(in WorkerWaited fact) => inner.On(fact);

    public virtual void On(in ThreadCreated fact) => inner.On(fact);

    public virtual void On(in ThreadBegan fact) => inner.On(fact);

    public virtual void On(in LimitsChanged fact) => inner.On(fact);

    public virtual void On(in CountersRead fact) => inner.On(fact);

    public virtual void On(in IntervalOverruled fact) => inner.On(fact);

    public virtual void On(in ProcessorsCounted fact) => inner.On(fact);

    public virtual void On(in SwitchSeen fact) => inner.On(fact);

    public virtual void On(in ThreadsSuspended fact) => inner.On(fact);

    public virtual void On(in ProcessSampled fact) => inner.On(fact);

    public virtual void On(in ClockSeen fact) => inner.On(fact);

    public virtual void On(in EventsLost fact) => inner.On(fact);

    public virtual void On(in EventUndecodable fact) => inner.On(fact);
}
