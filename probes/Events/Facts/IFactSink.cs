using Tpwatch.Basics;

namespace Tpwatch.Events.Facts;

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

    /// <summary>The stream's header was read.</summary>
    void On(in StreamOpened fact) => See(fact.At);

    /// <summary>The goal changed.</summary>
    void On(in WorkerGoalChanged fact) => See(fact.At);

    /// <summary>Hill climbing took a sample.</summary>
    void On(in ThroughputSampled fact) => See(fact.At);

    /// <summary>A worker started.</summary>
    void On(in WorkerStarted fact) => See(fact.At);

    /// <summary>A worker stopped.</summary>
    void On(in WorkerStopped fact) => See(fact.At);

    /// <summary>A worker went to sleep.</summary>
    void On(in WorkerWaited fact) => See(fact.At);

    /// <summary>A thread is being created.</summary>
    void On(in ThreadCreated fact) => See(fact.At);

    /// <summary>A thread runs.</summary>
    void On(in ThreadBegan fact) => See(fact.At);

    /// <summary>Min or max were set.</summary>
    void On(in LimitsChanged fact) => See(fact.At);

    /// <summary>A heartbeat came.</summary>
    void On(in CountersRead fact) => See(fact.At);

    /// <summary>The heartbeat's settings were refused.</summary>
    void On(in HeartbeatOverruled fact) => See(fact.At);

    /// <summary>The target counted its processors.</summary>
    void On(in ProcessorsCounted fact) => See(fact.At);

    /// <summary>An AppContext switch was seen.</summary>
    void On(in SwitchSeen fact) => See(fact.At);

    /// <summary>All threads had been suspended by the runtime.</summary>
    void On(in ThreadsSuspended fact) => See(fact.At);

    /// <summary>The process was looked at from outside.</summary>
    void On(in ProcessSampled fact)
    {
    }

    /// <summary>The coarse clock was read.</summary>
    void On(in ClockSeen fact)
    {
    }

    /// <summary>Events were lost.</summary>
    void On(in EventsLost fact) => See(fact.At);

    /// <summary>An event could not be understood.</summary>
    void On(in EventUndecodable fact) => See(fact.At);
}
