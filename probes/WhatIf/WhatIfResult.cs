using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>The course of one item; null for times after the end of the simulation.</summary>
readonly record struct WhatIfSpan(EventTime Queued, EventTime? Started, EventTime? Ended, int? Worker)
{
    /// <summary>From queued to started, milliseconds; null when it never started.</summary>
    public double? StartDelayMs => Started?.MsSince(Queued);
}

/// <summary>One point of the curve: the number of worker threads and the queue length from <paramref name="At"/> on.</summary>
readonly record struct WhatIfPoint(EventTime At, int Workers, int QueueLength);

/// <summary>A change of the target thread count by the gate thread.</summary>
readonly record struct WhatIfAdjustment(EventTime At, GateCheckKind Kind, Mechanism Mechanism, int TargetThreads);

/// <summary>The result of a simulation under one policy. Hill climbing and the timeout of idle worker threads are not simulated.</summary>
sealed record WhatIfResult
{
    /// <summary>The items in the order given.</summary>
    public required ImmutableArray<WhatIfSpan> Items { get; init; }

    /// <summary>Number of worker threads and queue length at each change.</summary>
    public required ImmutableArray<WhatIfPoint> Curve { get; init; }

    /// <summary>The changes by the gate thread.</summary>
    public required ImmutableArray<WhatIfAdjustment> Adjustments { get; init; }

    /// <summary>From the first item queued to the last one completed, milliseconds; null when some had not completed.</summary>
    public double? TotalMs => Items.Length > 0 && Items.All(item => item.Ended is not null)
        ? Items.Max(item => item.Ended!.Value).MsSince(Items.Min(item => item.Queued))
        : null;

    /// <summary>Number of worker threads at <paramref name="at"/>.</summary>
    public int WorkersAt(EventTime at) => Curve.LastOrDefault(point => point.At <= at).Workers;

    /// <summary>Queue length at <paramref name="at"/>.</summary>
    public int QueueLengthAt(EventTime at) => Curve.LastOrDefault(point => point.At <= at).QueueLength;
}
