using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>What became of an item; null: not until the end of the simulation.</summary>
readonly record struct WhatIfSpan(EventTime Queued, EventTime? Started, EventTime? Ended, int? Worker)
{
    /// <summary>From queued to started, milliseconds; null when it never started.</summary>
    public double? StartDelayMs => Started?.MsSince(Queued);
}

/// <summary>One point of the curve: from <paramref name="At"/> on so many workers exist and so many items wait.</summary>
readonly record struct WhatIfPoint(EventTime At, int Workers, int Backlog);

/// <summary>The gate raised or lowered the goal.</summary>
readonly record struct WhatIfAdjustment(EventTime At, TickKind Kind, Mechanism Mechanism, int Goal);

/// <summary>An imagined run under one policy. Hill climbing and the time-out of idle workers are not in it.</summary>
sealed record WhatIfResult
{
    /// <summary>The items in the order given.</summary>
    public required ImmutableArray<WhatIfSpan> Items { get; init; }

    /// <summary>Workers and backlog wherever they change.</summary>
    public required ImmutableArray<WhatIfPoint> Curve { get; init; }

    /// <summary>What the gate did.</summary>
    public required ImmutableArray<WhatIfAdjustment> Adjustments { get; init; }

    /// <summary>From the first item queued to the last one ended, milliseconds; null when some had not ended.</summary>
    public double? TotalMs => Items.Length > 0 && Items.All(item => item.Ended is not null)
        ? Items.Max(item => item.Ended!.Value).MsSince(Items.Min(item => item.Queued))
        : null;

    /// <summary>Workers that exist at <paramref name="at"/>.</summary>
    public int WorkersAt(EventTime at) => Curve.LastOrDefault(point => point.At <= at).Workers;

    /// <summary>Items that wait at <paramref name="at"/>.</summary>
    public int BacklogAt(EventTime at) => Curve.LastOrDefault(point => point.At <= at).Backlog;
}
