using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>Where the items of an imagined run come from: estimated from counters, or known one by one where a capture has them.</summary>
interface IItemSource
{
    /// <summary>The items that ran or waited in a capture.</summary>
    ItemsSeen Look(PoolReport report);
}

/// <summary>The items of a capture.</summary>
/// <param name="Items">In the order queued; none when <c>Missing</c> says why.</param>
/// <param name="Basis">How they are known, for people.</param>
sealed record ItemsSeen(ImmutableArray<WhatIfItem> Items, string Basis)
{
    /// <summary>Why there are none, one sentence; null when there are.</summary>
    public string? Missing { get; init; }

    /// <summary>When the last item ended; null when some had not by the end of the capture.</summary>
    public EventTime? Ended { get; init; }

    /// <summary>From a new worker's start to the next one's, where several are created at once, milliseconds.</summary>
    public double RampMs { get; init; } = WorkerUse.UsualRampMs;

    /// <summary>Workers that existed when the capture began in the middle of the trouble; 0 otherwise.</summary>
    public int Existing { get; init; }

    /// <summary>Whether each item was measured by itself.</summary>
    public bool OneByOne { get; init; }

    /// <summary>No items, and why.</summary>
    public static ItemsSeen None(string sentence) => new([], "") { Missing = sentence };
}
