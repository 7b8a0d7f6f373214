namespace Tpwatch.Pool;

/// <summary>
/// The pool of .NET 3.5 as article 004 reports it: "the first 15 or so threads quickly (as expected)", which is one per gate check as in
/// .NET 1.1, then "at increasingly long intervals", an "exponential backoff" that looked to the authors like Rotor's; at most 250 threads
/// per processor.
/// </summary>
/// <remarks>
/// The shape follows the article, the growth the published source: the throttle of the Shared Source CLI 2.0 multiplies by 1.1 like Rotor's
/// (clr/src/vm/win32threadpool.cpp, SufficientDelaySinceLastSample), but counts from the number of processors, so that it would slow down
/// from the first worker thread on; the article saw fifteen start quickly on machines with two processors. Here the exponent counts from
/// the fifteenth. The limit of 250 is documented for .NET 2.0 SP1 and 3.5, and remains as a constant in the header of .NET Core's pool.
/// </remarks>
sealed class Clr35Policy(GateClock? clock = null) : ThrottledPolicy(clock, Clr35Policy.WorkersPerProcessor)
{
    /// <summary>Threads per processor at most, documented for .NET 2.0 SP1 and 3.5, and named in the article.</summary>
    public const int WorkersPerProcessor = 250;

    /// <summary>Number of threads added quickly: the article's "15 or so".</summary>
    public const int FastWorkers = 15;

    protected override Decision Throttled(PoolState state, PoolCheck check)
    {
        var workers = state.Existing ?? state.Settings.Min;
        var fast = Math.Max(FastWorkers, state.Settings.Min);
        return workers < fast
            ? Add($"{workers} threads exist, and each gate check adds one up to {fast}")
            : HoldOff(state, check, RotorPolicy.HoldOffMs(workers, fast));
    }
}
