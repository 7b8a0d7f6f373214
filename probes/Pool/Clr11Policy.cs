namespace Tpwatch.Pool;

/// <summary>
/// The pool of .NET 1.1 as article 004 observed it for seven years: overloaded, it starts worker threads "at the rate of one every 500
/// milliseconds until it hits its upper limit", 25 per processor. Threads up to MinThreads are added at once, as in every version.
/// </summary>
/// <remarks>
/// This follows the article, not published source. Rotor's throttle (<see cref="RotorPolicy"/>) multiplies the time by 1.1 for each worker
/// thread, but the article's graph of .NET 1.1 is a straight line. The product's source is not published; Rotor does not measure processor
/// use, which the product did, and that may be the difference. So this class encodes an observation, and says nothing about busy
/// processors. One thread per gate check needs no comparison of ages, so only the interval of the clock matters.
/// </remarks>
sealed class Clr11Policy(GateClock? clock = null) : ThrottledPolicy(clock, Clr11Policy.WorkersPerProcessor)
{
    /// <summary>Threads per processor at most, documented for .NET 1.0 to 2.0; the article says "25 or so".</summary>
    public const int WorkersPerProcessor = 25;

    protected override Decision Throttled(PoolState state, PoolCheck check) => Add("work waits at a gate check");
}
