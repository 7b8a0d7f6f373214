namespace Tpwatch.Reports;

/// <summary>What kept a process from running.</summary>
public enum HindranceKind
{
    /// <summary>The runtime suspended its threads, mostly for a garbage collection (its own suspension events).</summary>
    Suspension,

    /// <summary>The process was stopped by a signal or a debugger (state T in the process table).</summary>
    Stopped,

    /// <summary>Its control group had used up its processor time (throttled time of the group).</summary>
    Throttled,

    /// <summary>Its threads were ready and waited for a processor (scheduler wait of its threads).</summary>
    ProcessorWait,
}

/// <summary>A stretch in which the target's threads could not run, or not all of them.</summary>
/// <param name="Span">From when to when; where only a sum over an interval is known, that interval.</param>
/// <param name="Kind">What it was.</param>
/// <param name="Ms">How long inside the span, milliseconds; at most the span's length for one thread.</param>
public sealed record Hindrance(EventSpan Span, HindranceKind Kind, double Ms);

/// <summary>All hindrances of a kind since the start, those too short to be kept one by one included.</summary>
/// <param name="Kind">What it was.</param>
/// <param name="Count">How many; of processor waits and throttling, how many intervals of a second.</param>
/// <param name="Ms">How long in all, milliseconds.</param>
/// <param name="LongestMs">The longest, milliseconds.</param>
public sealed record HindranceTotal(HindranceKind Kind, long Count, double Ms, double LongestMs);
