namespace Tpwatch.Reports;

/// <summary>How the machine refreshes its coarse clock, measured when tpwatch's own sampling thread wakes up.</summary>
enum ClockRegime
{
    Unknown,

    /// <summary>All processors were idle between the wake-ups: the interrupt that wakes the gate thread also refreshes the clock.</summary>
    Idle,

    /// <summary>At least one processor was awake all the time: the clock is refreshed at fixed moments, one clock step apart.</summary>
    Busy,

    /// <summary>Both regimes were observed. The clock value of a gate check is certain only if both regimes give the same value.</summary>
    Mixed,
}

/// <summary>
/// The coarse clock by which the runtime measures the time since the last dequeue (CLOCK_MONOTONIC_COARSE on Linux). The clock's values are
/// <c>GridMs + k·StepMs</c>. The value changes at the times <c>EdgeMs + k·StepMs</c> of the monotonic clock.
/// </summary>
/// <param name="At">When the clock was read.</param>
/// <param name="StepMs">Difference between two successive values, milliseconds.</param>
/// <param name="GridMs">Remainder of each clock value after division by StepMs, milliseconds.</param>
/// <param name="EdgeMs">Remainder of each time of change after division by StepMs, milliseconds.</param>
/// <param name="Regime">How the clock is currently refreshed.</param>
readonly record struct ClockReading(EventTime At, double StepMs, double GridMs, double EdgeMs, ClockRegime Regime)
{
    /// <summary>
    /// Share of the sampling thread's wake-ups, 0 to 1, at which the interrupt also refreshed the clock; null after too few wake-ups.
    /// </summary>
    public double? IdleShare { get; init; }
}

/// <summary>
/// The target's process as the operating system shows it: whether it can run, and how long its threads waited for a processor. This is
/// evidence for delays whose cause is outside the pool. Null values are unknown.
/// </summary>
/// <param name="At">When the reading was taken, event time.</param>
/// <param name="IntervalMs">Time since the previous reading, milliseconds; the other durations are sums over this time.</param>
/// <param name="Stopped">Whether the process is stopped: by a signal, a debugger, or a frozen control group.</param>
readonly record struct ProcessReading(EventTime At, double IntervalMs, bool Stopped)
{
    /// <summary>Time of the check that first found the process stopped; null without a stop.</summary>
    public EventTime? StoppedSince { get; init; }

    /// <summary>Time of the last check that found the process stopped. The stop is continuous from <see cref="StoppedSince"/>.</summary>
    public EventTime? StoppedUntil { get; init; }

    /// <summary>Longest time that one of the process's threads was ready and waited for a processor, milliseconds.</summary>
    public double? WaitMs { get; init; }

    /// <summary>
    /// Time that the pool's gate thread was ready and waited for a processor, milliseconds; null if unknown. The gate thread can be
    /// identified by its name only on Linux, from .NET 7 on.
    /// </summary>
    public double? GateWaitMs { get; init; }

    /// <summary>Time that the process's control group was throttled because its processor quota was used up, milliseconds.</summary>
    public double? ThrottledMs { get; init; }

    /// <summary>Memory in use, 0 to 1, as a share of the control group's limit, or of the machine's memory if there is no limit.</summary>
    public double? MemoryLoad { get; init; }

    /// <summary>
    /// Other processes that used the processors while the target's threads waited for a processor, largest share first; default if not
    /// known. Live targets only.
    /// </summary>
    public ImmutableArray<Neighbour> Others { get; init; }
}

/// <summary>Another process of the machine that uses its processors.</summary>
/// <param name="Name">The process name as the kernel reports it.</param>
/// <param name="Pid">Process id.</param>
/// <param name="Share">Share of all processors, 0 to 1.</param>
sealed record Neighbour(string Name, int Pid, double Share);

/// <summary>The processes that used the processors at a moment, largest share first.</summary>
sealed record TopCpuProcesses(EventTime At, ImmutableArray<Neighbour> Users);

/// <summary>The reasons for which a process did not run.</summary>
public enum HindranceKind
{
    /// <summary>The runtime suspended the threads, mostly for a garbage collection (source: the runtime's suspension events).</summary>
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
/// <param name="Ms">Time in the span during which threads could not run, milliseconds; the whole span if no thread could run.</param>
public sealed record Hindrance(EventSpan Span, HindranceKind Kind, double Ms);

/// <summary>Totals of one kind of hindrance since the start of the capture, including hindrances too short to be kept singly.</summary>
/// <param name="Kind">The reason.</param>
/// <param name="Count">Number of hindrances; for processor waits and throttling, the number of readings that show any.</param>
/// <param name="Ms">Total time, milliseconds.</param>
/// <param name="LongestMs">The longest hindrance, milliseconds.</param>
public sealed record HindranceTotal(HindranceKind Kind, long Count, double Ms, double LongestMs);
