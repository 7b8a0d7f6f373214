using Tpwatch.Basics;
using Tpwatch.Model;

namespace Tpwatch.Forecast;

/// <summary>What a backlog drains by, as of the last heartbeat.</summary>
/// <param name="At">The heartbeat.</param>
/// <param name="Working">Workers at work.</param>
/// <param name="Backlog">Items that wait.</param>
/// <param name="State">What the policy knows.</param>
/// <param name="Injections">Which workers are added.</param>
/// <param name="ArrivalsPerMs">Items that arrive a millisecond.</param>
sealed record DrainBasis(EventTime At, int Working, long Backlog, PoolState State, Injections Injections, double ArrivalsPerMs)
{
    /// <summary>
    /// The backlog and the workers that take from it; above the goal a worker stops at the end of
    /// its item, so that those count that end first.
    /// </summary>
    /// <param name="at">From when on it drains.</param>
    /// <param name="freeMs">When each worker there is ends what it works on, milliseconds after that.</param>
    /// <param name="runMs">How long an item holds its worker, milliseconds.</param>
    public DrainCase Case(EventTime at, IEnumerable<double> freeMs, double runMs) =>
        new(at, [.. freeMs.OrderDescending().Take(Math.Max(1, Working))], runMs, Backlog, State) { Injections = Injections };
}
