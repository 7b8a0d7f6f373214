namespace Tpwatch.Text;

/// <summary>The word for what ended a wait: the runtime's reason, or a word of this tool if the runtime gives none.</summary>
static class DecisionWord
{
    /// <summary>The word for people, in the vocabulary of the documentation.</summary>
    public static string Plain(InjectionDelay delay) => delay switch
    {
        { Reason: { } reason } => reason.ToString(),
        { Mechanism: Mechanism.G3Undetected } => "Undetected",
        { Mechanism: Mechanism.G8Ceiling } => "AtMaxThreads",
        _ => Of(delay),
    };

    public static string Of(InjectionDelay delay) => delay switch
    {
        { Reason: { } reason } => reason.ToString(),
        { Mechanism: Mechanism.G0Ramp } => "Ramp",
        { Mechanism: Mechanism.G3Undetected } => "SilentStarvation",
        { Mechanism: Mechanism.G8Ceiling } => "Ceiling",
        { Mechanism: Mechanism.G9DetectorOff } => "DetectorOff",
        { Mechanism: Mechanism.G12NotRunning } => "NotRunning",
        { Mechanism: Mechanism.G13SlowThread } => "SlowThread",
        { Mechanism: Mechanism.G14Wedged } => "Wedged",
        { Mechanism: Mechanism.G11Probing } => "Probing",
        { Verdict: DelayVerdict.Open } => "Waiting",
        _ => "Unexplained",
    };
}
