using Tpwatch.Reports;

namespace Tpwatch.Events;

/// <summary>The runtime has suspended all managed threads, mostly for a garbage collection, and has resumed them (events 9 to 3).</summary>
/// <param name="At">Event time at which the threads were resumed.</param>
/// <param name="Ms">Length of the suspension, milliseconds.</param>
readonly record struct ThreadsSuspended(EventTime At, double Ms) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>
/// A sample of the target's process taken from outside; it comes from the session or the side-car, not from the event stream.
/// </summary>
/// <param name="Reading">The reading.</param>
readonly record struct ProcessSampled(ProcessReading Reading) : IFact
{
    public EventTime At => Reading.At;

    public void Tell(IFactSink sink) => sink.On(this);
}
