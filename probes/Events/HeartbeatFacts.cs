namespace Tpwatch.Events;

/// <summary>
/// One heartbeat: the pool's counters, read in one pass about a tenth of a millisecond apart. Null is unknown, never zero.
/// </summary>
/// <param name="At">Event time of the reading's end.</param>
/// <param name="IntervalMs">Time since the reading before, as far as known, milliseconds.</param>
/// <param name="Workers">Workers that exist.</param>
/// <param name="Backlog">Items queued and not dequeued.</param>
/// <param name="Completed">Items completed since the reading before.</param>
/// <param name="Cpu">What the process used of the processors since the reading before.</param>
readonly record struct CountersRead(EventTime At, double? IntervalMs, int? Workers, long? Backlog, long? Completed, CpuUse Cpu) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>Processor use as the source states it: meters give seconds, event counters a share; one of the two, or neither.</summary>
/// <param name="Seconds">User and kernel time, seconds.</param>
/// <param name="Share">Share of all processors, 0 to 1.</param>
readonly record struct CpuUse(double? Seconds, double? Share);

/// <summary>
/// The target refused our heartbeat settings, since another listener came first with others; values come at its interval.
/// </summary>
/// <param name="At">Event time.</param>
/// <param name="Message">What the runtime said.</param>
readonly record struct HeartbeatOverruled(EventTime At, string Message) : IFact
{
    /// <summary>The interval that holds, milliseconds; null where the runtime did not say it.</summary>
    public double? IntervalMs { get; init; }

    public void Tell(IFactSink sink) => sink.On(this);
}
