using Tpwatch.Recordings;

namespace Tpwatch.Events;

/// <summary>Keeps the readings that are not in the event stream, for the side-car of a recording and for the flight recorder.</summary>
sealed class SideCarSink(ClockLog clocks, ProcessLog processes, FlightRecorder? flight = null) : IFactSink
{
    public void On(in ClockSeen fact)
    {
        clocks.Add(fact.Reading);
        flight?.Add(fact.Reading);
    }

    public void On(in ProcessSampled fact)
    {
        processes.Add(fact.Reading);
        flight?.Add(fact.Reading);
    }

    public void On(in ThreadsSuspended fact)
    {
    }

    public void On(in StreamOpened fact)
    {
    }

    public void On(in TargetThreadsChanged fact)
    {
    }

    public void On(in ThroughputSampled fact)
    {
    }

    public void On(in WorkerStarted fact)
    {
    }

    public void On(in WorkerStopped fact)
    {
    }

    public void On(in WorkerWaited fact)
    {
    }

    public void On(in ThreadCreated fact)
    {
    }

    public void On(in ThreadBegan fact)
    {
    }

    public void On(in LimitsChanged fact)
    {
    }

    public void On(in CountersRead fact)
    {
    }

    public void On(in IntervalOverruled fact)
    {
    }

    public void On(in ProcessorsCounted fact)
    {
    }

    public void On(in SwitchSeen fact)
    {
    }

    public void On(in EventsLost fact)
    {
    }

    public void On(in EventUndecodable fact)
    {
    }
}
