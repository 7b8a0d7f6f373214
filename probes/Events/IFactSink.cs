namespace Tpwatch.Events;

/// <summary>
/// Takes facts in event-time order, on one thread; it overrides those that it wants. Of the others it hears the time, but for those that
/// were read beside the stream.
/// </summary>
interface IFactSink
{
    /// <summary>Time has passed: a fact of that moment has come that the sink does not answer.</summary>
    void See(EventTime at)
    {
    }

    void On(in StreamOpened fact) => See(fact.At);
    void On(in WorkerGoalChanged fact) => See(fact.At);
    void On(in ThroughputSampled fact) => See(fact.At);
    void On(in WorkerStarted fact) => See(fact.At);
    void On(in WorkerStopped fact) => See(fact.At);
    void On(in WorkerWaited fact) => See(fact.At);
    void On(in ThreadCreated fact) => See(fact.At);
    void On(in ThreadBegan fact) => See(fact.At);
    void On(in LimitsChanged fact) => See(fact.At);
    void On(in CountersRead fact) => See(fact.At);
    void On(in HeartbeatOverruled fact) => See(fact.At);
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
