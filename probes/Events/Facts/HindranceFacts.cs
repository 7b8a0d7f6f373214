using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.Events.Facts;

/// <summary>The runtime had suspended all managed threads, mostly for a garbage collection (events 9 to 3); they run again.</summary>
/// <param name="At">Event time at which they ran again.</param>
/// <param name="Ms">From the beginning of the suspension to its end, milliseconds.</param>
/// <param name="Reason">Why, as the runtime numbers it.</param>
readonly record struct ThreadsSuspended(EventTime At, double Ms, SuspensionReason Reason) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>Why the runtime suspends (GCSuspendEEBegin, field Reason); a number that this version does not know is kept as it is.</summary>
enum SuspensionReason
{
    /// <summary>Something else: a profiler's samples, tiered compilation.</summary>
    Other = 0,

    /// <summary>A collection.</summary>
    Collection = 1,

    /// <summary>Preparation of a collection.</summary>
    CollectionPreparation = 6,
}

/// <summary>The target's process was looked at from outside; not in the stream but in the session or the side-car.</summary>
/// <param name="Reading">The reading.</param>
readonly record struct ProcessSampled(ProcessReading Reading) : IFact
{
    public EventTime At => Reading.At;

    public void Tell(IFactSink sink) => sink.On(this);
}
