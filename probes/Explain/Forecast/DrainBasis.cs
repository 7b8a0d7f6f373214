using Tpwatch.Explain.Policies;

namespace Tpwatch.Explain.Forecast;

/// <summary>What a backlog drains by, as of the last heartbeat.</summary>
/// <param name="At">The heartbeat.</param>
/// <param name="Working">Workers at work.</param>
/// <param name="Backlog">Items that wait.</param>
/// <param name="State">What the policy knows.</param>
/// <param name="Injections">Which workers are added.</param>
/// <param name="ArrivalsPerMs">Items that arrive a millisecond.</param>
sealed record DrainBasis(EventTime At, int Working, long Backlog, PoolState State, Injections Injections, double ArrivalsPerMs);
