namespace Tpwatch.Reports;

/// <summary>Whether a wait for a worker was as long as the runtime's rule says.</summary>
public enum GapVerdict
{
    /// <summary>At a moment the rule allows, and no earlier moment had to be used.</summary>
    Fits,

    /// <summary>Before the first allowed moment.</summary>
    Early,

    /// <summary>After an allowed moment, outside all of them.</summary>
    Late,

    /// <summary>No known rule explains it.</summary>
    NoRule,

    /// <summary>Events were lost inside; not judged.</summary>
    NoData,

    /// <summary>The rule has no clock (hill climbing), or the clock's phase is not known yet.</summary>
    NotTimed,

    /// <summary>It still lasts.</summary>
    Open,
}

/// <summary>How an end of a gap, or a tick inside it, is known.</summary>
public enum Basis
{
    /// <summary>An event says it.</summary>
    Observed,

    /// <summary>It follows from events and the runtime's rules.</summary>
    Inferred,

    /// <summary>It is not known.</summary>
    Unknown,
}
