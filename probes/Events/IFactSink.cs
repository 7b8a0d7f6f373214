namespace Tpwatch.Events;

/// <summary>
/// Takes facts in event-time order, on one thread; an implementation overrides the methods of the facts it needs. For other facts it
/// receives only the event time, except for those that do not come from the event stream.
/// </summary>
interface IFactSink
{
    /// <summary>Reports that event time has reached <paramref name="at"/>, for a fact that the sink does not handle.</summary>
    void See(EventTime at)
    {
    }

    void On(in StreamOpened fact) => See(fact.At);
    void On(in TargetThreadsChanged fact) => See(fact.At);
    void On(in ThroughputSampled fact) => See(fact.At);
    void On(in WorkerStarted fact) => See(fact.At);
    void On(in WorkerStopped fact) => See(fact.At);
    void On(in WorkerWaited fact) => See(fact.At);
    void On(in ThreadCreated fact) => See(fact.At);
    void On(in ThreadBegan fact) => See(fact.At);
    void On(in LimitsChanged fact) => See(fact.At);
    void On(in CountersRead fact) => See(fact.At);
    void On(in IntervalOverruled fact) => See(fact.At);
    void On(in ProcessorsCounted fact) => See(fact.At);
    void On(in SwitchSeen fact) => See(fact.At);
    void On(in ThreadsSuspended fact) => See(fact.At);

    void On(in ProcessSampled fact)
    {
    }

    void On(in ClockSeen fact)
    {
    }

    void On(in EventsLost fact) => See(fact.At);
    void On(in EventUndecodable fact) => See(fact.At);
}
