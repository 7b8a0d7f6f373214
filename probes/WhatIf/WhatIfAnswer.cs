using Tpwatch.Pool;

namespace Tpwatch.WhatIf;

/// <summary>
/// The result of simulating a changed configuration, with the measured values and a simulation of the unchanged configuration to compare.
/// </summary>
sealed record WhatIfAnswer
{
    public required WhatIfChange Change { get; init; }

    /// <summary>The settings of the simulated pool, as its runtime would have them.</summary>
    public required PoolSettings Settings { get; init; }

    /// <summary>The measured figures; delays follow from the observed target thread count.</summary>
    public required WhatIfFigures Seen { get; init; }

    /// <summary>The unchanged configuration simulated: it shows how reliable the simulation is here.</summary>
    public required WhatIfFigures Same { get; init; }

    /// <summary>
    /// The changed configuration simulated; the better bound when it is unknown how many items the awaited resource serves at once.
    /// </summary>
    public required WhatIfFigures Simulated { get; init; }

    /// <summary>
    /// The worse bound: the awaited resource serves no more items per second than now. Null when there is a single answer.
    /// </summary>
    public WhatIfFigures? Worst { get; init; }

    /// <summary>Why there is no answer, one sentence; the figures are meaningless then. Null when there is an answer.</summary>
    public string? Unknown { get; init; }

    /// <summary>The simulation of the changed configuration.</summary>
    public required WhatIfResult Run { get; init; }

    /// <summary>When the first item was queued; curves begin there.</summary>
    public required EventTime From { get; init; }

    /// <summary>Whether items waited from the first counter sample on, so that times count from that sample.</summary>
    public bool MetLate { get; init; }

    /// <summary>Where the items come from, in words for users.</summary>
    public required string Basis { get; init; }

    /// <summary>The error of the unchanged configuration simulated, and any further uncertainty, in words for users.</summary>
    public required string Uncertainty { get; init; }

    /// <summary>
    /// The largest error of the unchanged configuration simulated, of total or mean delay, as a share; null when it could not be compared.
    /// </summary>
    public double? ErrorShare { get; init; }

    /// <summary>Why no more items per second complete than now, one sentence; null when unknown.</summary>
    public string? Bound { get; init; }

    /// <summary>What the simulation leaves out, in words for users.</summary>
    public required ImmutableArray<string> Remarks { get; init; }

    /// <summary>The remark that MinThreads is not known; null when it is known.</summary>
    public string? UnsureMin { get; init; }
}
