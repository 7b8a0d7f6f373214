using Tpwatch.Basics;
using Tpwatch.Events.Facts;

namespace Tpwatch.Events;

/// <summary>
/// Hands every fact to each sink in turn, after <paramref name="before"/> was told its event time: where a replay at real speed waits.
/// </summary>
sealed class FactFanOut(Action<EventTime> before, params IFactSink[] sinks) : IFactSink
{
    public void On(in StreamOpened fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in WorkerGoalChanged fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in ThroughputSampled fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in WorkerStarted fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in WorkerStopped fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in WorkerWaited fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in ThreadCreated fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in ThreadBegan fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in LimitsChanged fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in CountersRead fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in HeartbeatOverruled fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in ProcessorsCounted fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in SwitchSeen fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in ThreadsSuspended fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in ProcessSampled fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in ClockSeen fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in EventsLost fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }

    public void On(in EventUndecodable fact)
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            sink.On(fact);
        }
    }
}
