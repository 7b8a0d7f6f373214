using Tpwatch.Pool;

namespace Tpwatch.WhatIf;

/// <summary>The same arrivals in another world, beside what was seen and beside the same world imagined.</summary>
sealed record WhatIfAnswer
{
    public required WhatIfChange Change { get; init; }

    /// <summary>The settings of the imagined pool, as its runtime would have them.</summary>
    public required PoolSettings Settings { get; init; }

    /// <summary>What the capture shows; delays follow from the goal as it was seen.</summary>
    public required WhatIfFigures Seen { get; init; }

    /// <summary>The same configuration imagined: how far imagination can be trusted here.</summary>
    public required WhatIfFigures Same { get; init; }

    /// <summary>The changed configuration; where it is not known how many what items wait for can serve, the better bound.</summary>
    public required WhatIfFigures Imagined { get; init; }

    /// <summary>The worse bound: what items wait for serves as many a second as now. Null where one answer is known.</summary>
    public WhatIfFigures? Worst { get; init; }

    /// <summary>Why there is no answer, one sentence; the figures say nothing then. Null where there is one.</summary>
    public string? Unknown { get; init; }

    /// <summary>The changed configuration's run.</summary>
    public required WhatIfResult Run { get; init; }

    /// <summary>The first item that was queued; curves begin there.</summary>
    public required EventTime From { get; init; }

    /// <summary>Whether items waited from the first counter sample on, so that times count from that one.</summary>
    public bool MetLate { get; init; }

    /// <summary>Where the items come from.</summary>
    public required string Basis { get; init; }

    /// <summary>How far off the same configuration imagined is from what was seen, and whatever else is doubtful.</summary>
    public required string Uncertainty { get; init; }

    /// <summary>
    /// The largest error of the same configuration imagined, total or mean delay, as a share; null where it could not be compared.
    /// </summary>
    public double? ErrorShare { get; init; }

    /// <summary>Why no more items complete in a second than now, one sentence; null where that is not known.</summary>
    public string? Bound { get; init; }

    /// <summary>What the answer leaves out.</summary>
    public required ImmutableArray<string> Remarks { get; init; }
}
