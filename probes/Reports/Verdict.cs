namespace Tpwatch.Reports;

/// <summary>What the capture says about the pool.</summary>
public enum Verdict
{
    /// <summary>Nothing waited for a worker for long.</summary>
    Healthy,

    /// <summary>Task waits were compensated by additional workers, and that sufficed.</summary>
    Compensated,

    /// <summary>Items waited while every worker was blocked; the runtime noticed and added workers, by its gate or for task waits, too slowly.</summary>
    Starved,

    /// <summary>Items waited, and the runtime's detector slept: there is no adjustment event for it.</summary>
    SilentlyStarved,

    /// <summary>Items waited, and the processors were busy.</summary>
    Saturated,

    /// <summary>The delay has another cause.</summary>
    NotThePool,

    /// <summary>The capture cannot answer.</summary>
    Undecided,
}
