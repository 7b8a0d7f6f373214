using Tpwatch.Reports;

namespace Tpwatch.Events;

/// <summary>The header of the event stream.</summary>
/// <param name="At">Start of the session in event time.</param>
/// <param name="Utc">That moment as wall-clock time of the target.</param>
/// <param name="Processors">Processors of the machine according to the header.</param>
readonly record struct StreamOpened(EventTime At, DateTime Utc, int Processors) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>The number of processors that the target counts (System.Runtime event 2; .NET 7 and later).</summary>
/// <param name="At">Event time.</param>
/// <param name="Count">Processors.</param>
readonly record struct ProcessorsCounted(EventTime At, int Count) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>An AppContext switch of the target (System.Runtime event 1).</summary>
/// <param name="At">Event time.</param>
/// <param name="Name">Name of the switch.</param>
/// <param name="On">Value of the switch.</param>
readonly record struct SwitchSeen(EventTime At, string Name, bool On) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>
/// A reading of the coarse clock of the target's machine; it comes from the session or the side-car, not from the event stream.
/// </summary>
/// <param name="Reading">The reading.</param>
readonly record struct ClockSeen(ClockReading Reading) : IFact
{
    public EventTime At => Reading.At;

    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>Events were lost between the last event and this one.</summary>
/// <param name="At">Event time of the first event after the loss.</param>
/// <param name="Count">Number of lost events; null when the stream does not contain it.</param>
readonly record struct EventsLost(EventTime At, long? Count) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>An event that a probe expected could not be decoded: an unknown version or a broken payload.</summary>
/// <param name="At">Event time.</param>
/// <param name="What">The kind of event.</param>
readonly record struct EventUndecodable(EventTime At, string What) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}
