namespace Tpwatch.Reports;

/// <summary>The reasons for which a process did not run.</summary>
public enum HindranceKind
{
    /// <summary>The runtime suspended its threads, mostly for a garbage collection (source: the runtime's suspension events).</summary>
    Suspension,

    /// <summary>The process was stopped by a signal or a debugger (source: state T in the process table).</summary>
    Stopped,

    /// <summary>The process's control group had used up its processor quota (source: the group's throttled time).</summary>
    Throttled,

    /// <summary>The process's threads were ready and waited for a processor (source: the scheduler's wait times).</summary>
    ProcessorWait,
}

/// <summary>A time span in which the target's threads, or some of them, could not run.</summary>
/// <param name="Span">Start and end; if only a sum over an interval is known, that interval.</param>
/// <param name="Kind">The reason.</param>
/// <param name="Ms">Time within the span during which threads could not run, milliseconds; never longer than the span if only one thread
/// counts.</param>
public sealed record Hindrance(EventSpan Span, HindranceKind Kind, double Ms);

/// <summary>Totals of one kind of hindrance since the start of the capture, including hindrances too short to be kept singly.</summary>
/// <param name="Kind">The reason.</param>
/// <param name="Count">Number of hindrances; for processor waits and throttling, the number of one-second intervals.</param>
/// <param name="Ms">Total time, milliseconds.</param>
/// <param name="LongestMs">The longest hindrance, milliseconds.</param>
public sealed record HindranceTotal(HindranceKind Kind, long Count, double Ms, double LongestMs);
