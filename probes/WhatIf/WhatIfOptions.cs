using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>The world in which a policy is tried.</summary>
/// <param name="Pool">Processors, min and max.</param>
/// <param name="Until">Where the simulation ends although items remain.</param>
sealed record WhatIfOptions(PoolSettings Pool, EventTime Until)
{
    /// <summary>From the decision for a new worker to its first item, milliseconds. One that exists already takes no time.</summary>
    public double StartMs { get; init; } = GateTiming.InjectionToDequeue;

    /// <summary>From the start of a new worker to that of the next one, milliseconds: each asks for its successor.</summary>
    public double RampMs { get; init; }

    /// <summary>
    /// What items block on serves one at a time and takes so long for each, milliseconds; null where it serves all at once, each as long
    /// as its item says.
    /// </summary>
    public double? ServiceMs { get; init; }

    /// <summary>Workers that exist when it begins.</summary>
    public int Existing { get; init; }

    /// <summary>What others than the gate did with the goal, in their order: hill climbing is an input.</summary>
    public ImmutableArray<WhatIfMove> Moves { get; init; } = [];
}

/// <summary>A change of the goal that was seen and is done again.</summary>
/// <param name="At">When.</param>
/// <param name="By">By how many workers; it stays within min and max.</param>
/// <param name="Reason">What the runtime gave as reason.</param>
readonly record struct WhatIfMove(EventTime At, int By, AdjustmentReason Reason);
