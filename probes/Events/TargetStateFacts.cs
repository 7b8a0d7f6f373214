using Tpwatch.Reports;

namespace Tpwatch.Events;

/// <summary>The stream's header was read.</summary>
/// <param name="At">Start of the session in event time.</param>
/// <param name="Utc">The same moment as wall-clock time of the target.</param>
/// <param name="Processors">Processors of the machine as the header says.</param>
readonly record struct StreamOpened(EventTime At, DateTime Utc, int Processors) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>The target counts so many processors (System.Runtime event 2; .NET 7 and later).</summary>
/// <param name="At">Event time.</param>
/// <param name="Count">Processors.</param>
readonly record struct ProcessorsCounted(EventTime At, int Count) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>An AppContext switch of the target (System.Runtime event 1).</summary>
/// <param name="At">Event time.</param>
/// <param name="Name">Its name.</param>
/// <param name="On">Its value.</param>
readonly record struct SwitchSeen(EventTime At, string Name, bool On) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>The coarse clock of the target's machine was read; not in the stream but in the session or the side-car.</summary>
/// <param name="Reading">The reading.</param>
readonly record struct ClockSeen(ClockReading Reading) : IFact
{
    public EventTime At => Reading.At;

    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>Events were lost between the last event and this one.</summary>
/// <param name="At">Event time of the first event after the loss was noticed.</param>
/// <param name="Count">How many; null when the stream cannot say.</param>
readonly record struct EventsLost(EventTime At, long? Count) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>An event of ours could not be understood: an unknown version or a broken payload.</summary>
/// <param name="At">Event time.</param>
/// <param name="What">Which event.</param>
readonly record struct EventUndecodable(EventTime At, string What) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}
