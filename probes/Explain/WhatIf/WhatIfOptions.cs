using Tpwatch.Explain.Policies;

namespace Tpwatch.Explain.WhatIf;

/// <summary>The world in which a policy is tried.</summary>
/// <param name="Pool">Processors, min and max.</param>
/// <param name="Until">Where the simulation ends although items remain.</param>
sealed record WhatIfOptions(PoolSettings Pool, EventTime Until)
{
    /// <summary>From the decision for a new worker to its first item, milliseconds. One that exists already takes no time.</summary>
    public double StartMs { get; init; } = GateTiming.InjectionToDequeue;
}
