namespace Tpwatch.Reports;

/// <summary>Where a capture's stream comes from.</summary>
public enum SessionSource
{
    /// <summary>A running process, attached to.</summary>
    Live,

    /// <summary>A process started by us, observed from its first instruction.</summary>
    Launched,

    /// <summary>A recording.</summary>
    Recording,
}
