namespace Tpwatch.Reports;

/// <summary>
/// The target's process as the operating system shows it: whether it can run, and how long its threads waited for a processor. This is
/// evidence for delays whose cause is outside the pool. Null is unknown.
/// </summary>
/// <param name="At">When the reading was taken, event time.</param>
/// <param name="IntervalMs">Time since the previous reading, milliseconds; the other durations are sums over this time.</param>
/// <param name="Stopped">Whether the process is stopped: by a signal, a debugger, or a frozen control group.</param>
readonly record struct ProcessReading(EventTime At, double IntervalMs, bool Stopped)
{
    /// <summary>Time of the check that first found the process stopped, 100 ms or less after the stop; null without a stop.</summary>
    public EventTime? StoppedSince { get; init; }

    /// <summary>Time of the check that last found the process stopped, as it was since <see cref="StoppedSince"/>.</summary>
    public EventTime? StoppedUntil { get; init; }

    /// <summary>Longest time that one of the process's threads was ready and waited for a processor, milliseconds.</summary>
    public double? WaitMs { get; init; }

    /// <summary>
    /// Time that the pool's gate thread was ready and waited for a processor, milliseconds; null if the thread cannot be identified by its
    /// name (.NET 7 and later on Linux).
    /// </summary>
    public double? GateWaitMs { get; init; }

    /// <summary>Time that the process's control group was throttled because its processor quota was used up, milliseconds.</summary>
    public double? ThrottledMs { get; init; }

    /// <summary>Memory in use as a share of the control group's limit, or of the machine if there is none, 0 to 1.</summary>
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
sealed record OthersSeen(EventTime At, ImmutableArray<Neighbour> Users);
