using Tpwatch.Recordings;

namespace Tpwatch.Events;

/// <summary>Stores clock and process readings in the logs for a recording's side-car file, and in the flight recorder.</summary>
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
