namespace Tpwatch.Events;

/// <summary>
/// Passes every fact to each sink in turn, after calling <paramref name="before"/> with its event time; a replay at original speed waits
/// there.
/// </summary>
sealed class FactFanOut(Action<EventTime> before, params IFactSink[] sinks) : IFactSink
{
    public void On(in StreamOpened fact) => Hand(fact);

    public void On(in TargetThreadsChanged fact) => Hand(fact);

    public void On(in ThroughputSampled fact) => Hand(fact);

    public void On(in WorkerStarted fact) => Hand(fact);

    public void On(in WorkerStopped fact) => Hand(fact);

    public void On(in WorkerWaited fact) => Hand(fact);

    public void On(in ThreadCreated fact) => Hand(fact);

    public void On(in ThreadBegan fact) => Hand(fact);

    public void On(in LimitsChanged fact) => Hand(fact);

    public void On(in CountersRead fact) => Hand(fact);

    public void On(in IntervalOverruled fact) => Hand(fact);

    public void On(in ProcessorsCounted fact) => Hand(fact);

    public void On(in SwitchSeen fact) => Hand(fact);

    public void On(in ThreadsSuspended fact) => Hand(fact);

    public void On(in ProcessSampled fact) => Hand(fact);

    public void On(in ClockSeen fact) => Hand(fact);

    public void On(in EventsLost fact) => Hand(fact);

    public void On(in EventUndecodable fact) => Hand(fact);

    void Hand<T>(in T fact)
        where T : struct, IFact
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            fact.Tell(sink);
        }
    }
}
