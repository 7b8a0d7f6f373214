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
}
