using Tpwatch.Events;

namespace Tpwatch.Scoring.Extracts;

/// <summary>Every fact in order, so that two readings of one stream can be compared. Whatever is made of facts follows from them.</summary>
sealed class FactLog : IFactSink
{
    readonly List<IFact> facts = [];

    /// <summary>As they came.</summary>
    public IReadOnlyList<IFact> Facts => facts;

    public void On(in StreamOpened fact) => facts.Add(fact);

    public void On(in TargetThreadsChanged fact) => facts.Add(fact);

    public void On(in ThroughputSampled fact) => facts.Add(fact);

    public void On(in WorkerStarted fact) => facts.Add(fact);

    public void On(in WorkerStopped fact) => facts.Add(fact);

    public void On(in WorkerWaited fact) => facts.Add(fact);

    public void On(in ThreadCreated fact) => facts.Add(fact);

    public void On(in ThreadBegan fact) => facts.Add(fact);

    public void On(in LimitsChanged fact) => facts.Add(fact);

    public void On(in CountersRead fact) => facts.Add(fact);

    public void On(in IntervalOverruled fact) => facts.Add(fact);

    public void On(in ProcessorsCounted fact) => facts.Add(fact);

    public void On(in SwitchSeen fact) => facts.Add(fact);

    public void On(in ThreadsSuspended fact) => facts.Add(fact);

    public void On(in ProcessSampled fact) => facts.Add(fact);

    public void On(in ClockSeen fact) => facts.Add(fact);

    public void On(in EventsLost fact) => facts.Add(fact);

    public void On(in EventUndecodable fact) => facts.Add(fact);
}
