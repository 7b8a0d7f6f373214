using Tpwatch.Recordings;

namespace Tpwatch.Events;

/// <summary>Stores the readings that are not in the event stream in the logs for the side-car and in the flight recorder.</summary>
sealed class ReadingLogSink(ClockReadingLog clocks, ProcessReadingLog processes, FlightRecorder? flight = null) : IFactSink
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
