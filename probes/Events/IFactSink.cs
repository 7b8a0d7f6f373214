using Tpwatch.Events.Facts;

namespace Tpwatch.Events;

/// <summary>
/// Takes facts in event-time order, on one thread. A typed overload a fact: a new fact makes every sink fail to compile until it answers.
/// </summary>
interface IFactSink
{
    /// <summary>The stream's header was read.</summary>
    void On(in StreamOpened fact);

    /// <summary>The goal changed.</summary>
    void On(in WorkerGoalChanged fact);

    /// <summary>Hill climbing took a sample.</summary>
    void On(in ThroughputSampled fact);

    /// <summary>A worker started.</summary>
    void On(in WorkerStarted fact);

    /// <summary>A worker stopped.</summary>
    void On(in WorkerStopped fact);

    /// <summary>A worker went to sleep.</summary>
    void On(in WorkerWaited fact);

    /// <summary>A thread is being created.</summary>
    void On(in ThreadCreated fact);

    /// <summary>A thread runs.</summary>
    void On(in ThreadBegan fact);

    /// <summary>Min or max were set.</summary>
    void On(in LimitsChanged fact);

    /// <summary>A heartbeat came.</summary>
    void On(in CountersRead fact);

    /// <summary>The heartbeat's settings were refused.</summary>
    void On(in HeartbeatOverruled fact);

    /// <summary>The target counted its processors.</summary>
    void On(in ProcessorsCounted fact);

    /// <summary>An AppContext switch was seen.</summary>
    void On(in SwitchSeen fact);

    /// <summary>All threads had been suspended by the runtime.</summary>
    void On(in ThreadsSuspended fact);

    /// <summary>The process was looked at from outside.</summary>
    void On(in ProcessSampled fact);

    /// <summary>The coarse clock was read.</summary>
    void On(in ClockSeen fact);

    /// <summary>Events were lost.</summary>
    void On(in EventsLost fact);

    /// <summary>An event could not be understood.</summary>
    void On(in EventUndecodable fact);
}
