namespace Tpwatch.Pool;

/// <summary>
/// The pool of .NET 1.1 as article 004 watched it for seven years: overloaded, it starts workers "at the rate of one every 500 milliseconds
/// until it hits its upper limit", 25 a processor. At once up to min, as everywhere.
/// </summary>
/// <remarks>
/// Followed is the article, not the published source: Rotor's throttle (<see cref="RotorPolicy"/>) is a time's 1.1-fold with each
/// worker, and the article's graph of .NET 1.1 is a straight line. The product's source is not published; Rotor has no measure of processor
/// use, which the product had, and that may be the difference. So this is an observation put into code, and says nothing of busy
/// processors. One worker a tick needs no comparison of ages, hence of the clock only the tick counts.
/// </remarks>
sealed class Clr11Policy(GateClock? clock = null) : ThrottledPolicy(clock, Clr11Policy.WorkersPerProcessor)
{
    /// <summary>Documented for .NET 1.0 to 2.0; the article calls it "25 or so".</summary>
    public const int WorkersPerProcessor = 25;

    protected override Decision Throttled(PoolState state, PoolTick tick) => Add("work waits at a gate check");
}
