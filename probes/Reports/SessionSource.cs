namespace Tpwatch.Reports;

/// <summary>Where a capture's stream comes from.</summary>
public enum SessionSource
{
    /// <summary>A running process that tpwatch attached to.</summary>
    Live,

    /// <summary>A process that tpwatch launched and observed from its first instruction.</summary>
    Launched,

    /// <summary>A recording.</summary>
    Recording,
}
