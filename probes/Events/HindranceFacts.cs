using Tpwatch.Reports;

namespace Tpwatch.Events;

/// <summary>The runtime had suspended all managed threads, mostly for a garbage collection (events 9 to 3); they run again.</summary>
/// <param name="At">Event time at which they ran again.</param>
/// <param name="Ms">From the beginning of the suspension to its end, milliseconds.</param>
readonly record struct ThreadsSuspended(EventTime At, double Ms) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>The target's process was looked at from outside; not in the stream but in the session or the side-car.</summary>
/// <param name="Reading">The reading.</param>
readonly record struct ProcessSampled(ProcessReading Reading) : IFact
{
    public EventTime At => Reading.At;

    public void Tell(IFactSink sink) => sink.On(this);
}
