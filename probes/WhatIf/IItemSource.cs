using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>The source of the items of a simulation: estimated from counters, or measured one by one where a capture has them.</summary>
interface IItemSource
{
    /// <summary>The items that ran or waited in a capture.</summary>
    ItemsSeen Look(PoolReport report);
}

/// <summary>The items of a capture.</summary>
/// <param name="Items">In queue order; none when <c>Missing</c> gives the reason.</param>
/// <param name="Basis">How they are known, in words for users.</param>
sealed record ItemsSeen(ImmutableArray<WhatIfItem> Items, string Basis)
{
    /// <summary>The reason why there are no items, one sentence; null when there are items.</summary>
    public string? Missing { get; init; }

    /// <summary>When the last item completed; null when some had not completed by the end of the capture.</summary>
    public EventTime? Ended { get; init; }

    /// <summary>From the start of a new worker thread to the next start when several are created at once, milliseconds.</summary>
    public double RampMs { get; init; } = WorkerUse.UsualRampMs;

    /// <summary>Number of worker threads at the beginning of a capture that began while items waited; 0 otherwise.</summary>
    public int Existing { get; init; }

    /// <summary>Whether each item was measured individually.</summary>
    public bool OneByOne { get; init; }

    /// <summary>No items, with the reason.</summary>
    public static ItemsSeen None(string sentence) => new([], "") { Missing = sentence };
}
