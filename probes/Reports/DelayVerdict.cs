namespace Tpwatch.Reports;

/// <summary>How the length of an injection delay compares with the runtime's rule.</summary>
public enum DelayVerdict
{
    /// <summary>As expected: the delay ended at a moment that the rule allows, and the rule required no earlier injection.</summary>
    AsExpected,

    /// <summary>The delay ended before the first allowed moment.</summary>
    Early,

    /// <summary>The delay ended later than an allowed moment, and not at another allowed moment.</summary>
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

/// <summary>The source of what is known about the start or the end of an injection delay, or about a gate check during the delay.</summary>
public enum Basis
{
    /// <summary>From an event.</summary>
    Observed,

    /// <summary>From events and the runtime's rules.</summary>
    Inferred,

    /// <summary>Not known.</summary>
    Unknown,
}
