namespace Tpwatch.Reports;

/// <summary>
/// The target's process as the machine shows it: whether it may run, and how long its threads waited for a processor. Evidence from outside
/// the pool for delays that are not the pool's. Null is unknown.
/// </summary>
/// <param name="At">When it was read, event time.</param>
/// <param name="IntervalMs">Time since the reading before, milliseconds: the sums are over this time.</param>
/// <param name="Stopped">Whether it is stopped: by a signal, a debugger, or a frozen control group.</param>
readonly record struct ProcessReading(EventTime At, double IntervalMs, bool Stopped)
{
    /// <summary>The look that first found it stopped, a tenth of a second later at most. Null where it ran all the time.</summary>
    public EventTime? StoppedSince { get; init; }

    /// <summary>The look that last found it stopped, so that between the two it certainly was. Null where it ran all the time.</summary>
    public EventTime? StoppedUntil { get; init; }

    /// <summary>Longest time that one of its threads was ready and waited for a processor, milliseconds.</summary>
    public double? WaitMs { get; init; }

    /// <summary>The same of the pool's gate thread; null where it is not known by its name (.NET 7 and later on Linux).</summary>
    public double? GateWaitMs { get; init; }

    /// <summary>Time that its control group was throttled, having used up its quota of processor time, milliseconds.</summary>
    public double? ThrottledMs { get; init; }

    /// <summary>Memory in use, of its control group's limit or else of the machine, 0 to 1.</summary>
    public double? MemoryLoad { get; init; }

    /// <summary>
    /// Who else used the processors while its threads waited for one, the largest share first; default where that is not known. Live only.
    /// </summary>
    public ImmutableArray<Neighbour> Others { get; init; }
}

/// <summary>Another process of the machine that uses its processors.</summary>
/// <param name="Name">The kernel's name of it.</param>
/// <param name="Pid">Its id.</param>
/// <param name="Share">Of all processors, 0 to 1.</param>
sealed record Neighbour(string Name, int Pid, double Share);

/// <summary>Those that used the processors at a moment, the largest share first.</summary>
sealed record OthersSeen(EventTime At, ImmutableArray<Neighbour> Users);
