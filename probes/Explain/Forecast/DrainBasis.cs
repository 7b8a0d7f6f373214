using Tpwatch.Explain.Policies;

namespace Tpwatch.Explain.Forecast;

/// <summary>What a backlog drains by, as of the last heartbeat.</summary>
/// <param name="Backlog">Items that wait.</param>
/// <param name="State">What the policy knows.</param>
/// <param name="Injections">Which workers are added.</param>
/// <param name="ArrivalsPerMs">Items that arrive a millisecond.</param>
sealed record DrainBasis(long Backlog, PoolState State, Injections Injections, double ArrivalsPerMs);
