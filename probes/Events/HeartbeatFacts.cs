namespace Tpwatch.Events;

/// <summary>A counter sample: the pool's counters, read in one pass about 0.1 ms apart. Null means unknown, never zero.</summary>
/// <param name="At">Event time at which the sample was complete.</param>
/// <param name="IntervalMs">Time since the previous sample, milliseconds; null for the first.</param>
/// <param name="Workers">Existing worker threads.</param>
/// <param name="QueueLength">Queue length: items queued and not dequeued.</param>
/// <param name="Completed">Items completed since the previous sample.</param>
/// <param name="Cpu">Processor use of the process since the previous sample.</param>
readonly record struct CountersRead(EventTime At, double? IntervalMs, int? Workers, long? QueueLength, long? Completed, CpuUse Cpu) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>Processor use in the form of its source: meters give seconds, event counters a share; one of the two, or neither.</summary>
/// <param name="Seconds">User and kernel time, seconds.</param>
/// <param name="Share">Share of all processors, 0 to 1.</param>
readonly record struct CpuUse(double? Seconds, double? Share);

/// <summary>
/// The target rejected tpwatch's counter settings, since another listener came first with other settings; counter samples arrive at that
/// listener's interval.
/// </summary>
/// <param name="At">Event time.</param>
/// <param name="Message">The reason given by the runtime.</param>
readonly record struct IntervalOverruled(EventTime At, string Message) : IFact
{
    /// <summary>The interval in effect, milliseconds; null where the runtime did not report it.</summary>
    public double? IntervalMs { get; init; }

    public void Tell(IFactSink sink) => sink.On(this);
}
