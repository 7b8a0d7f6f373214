using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>The conditions under which a policy is simulated.</summary>
/// <param name="Pool">Processors, MinThreads and MaxThreads.</param>
/// <param name="Until">When the simulation ends although items remain.</param>
sealed record WhatIfOptions(PoolSettings Pool, EventTime Until)
{
    /// <summary>From the decision to add a worker thread to its first item, milliseconds. An existing thread takes no time.</summary>
    public double StartMs { get; init; } = GateTiming.InjectionToDequeue;

    /// <summary>From the start of a new worker thread to the start of the next one, milliseconds: each requests its successor.</summary>
    public double RampMs { get; init; }

    /// <summary>
    /// How long the awaited resource takes for each item if it serves one at a time, milliseconds; null if it serves all at once, each for
    /// the time of its item.
    /// </summary>
    public double? ServiceMs { get; init; }

    /// <summary>Number of worker threads that exist at the beginning.</summary>
    public int Existing { get; init; }

    /// <summary>Changes of the target thread count by others than the gate thread, in time order: hill climbing is an input.</summary>
    public ImmutableArray<WhatIfMove> Moves { get; init; } = [];
}

/// <summary>An observed change of the target thread count that the simulation repeats.</summary>
/// <param name="At">Its time.</param>
/// <param name="By">By how many worker threads; the result stays within MinThreads and MaxThreads.</param>
/// <param name="Reason">The reason given by the runtime.</param>
readonly record struct WhatIfMove(EventTime At, int By, AdjustmentReason Reason);
