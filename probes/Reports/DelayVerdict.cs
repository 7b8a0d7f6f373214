namespace Tpwatch.Reports;

/// <summary>Whether an injection delay was as long as the runtime's rule says.</summary>
public enum DelayVerdict
{
    /// <summary>As expected: the delay ended at a moment that the rule allows, and no earlier allowed moment had to be used.</summary>
    AsExpected,

    /// <summary>The delay ended before the first allowed moment.</summary>
    Early,

    /// <summary>The delay ended after an allowed moment, outside all of them.</summary>
    Late,

    /// <summary>No known rule explains the delay.</summary>
    NoRule,

    /// <summary>Not judged, because events were lost during the delay.</summary>
    NoData,

    /// <summary>The rule has no clock (hill climbing), or the phase of its clock is not known yet.</summary>
    NotTimed,

    /// <summary>The delay has not ended.</summary>
    Open,
}

/// <summary>How an end of an injection delay, or a gate check during it, is known.</summary>
public enum Basis
{
    /// <summary>From an event.</summary>
    Observed,

    /// <summary>From events and the runtime's rules.</summary>
    Inferred,

    /// <summary>Not known.</summary>
    Unknown,
}
