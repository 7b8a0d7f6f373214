namespace Tpwatch.Text;

/// <summary>The word for what happened: the runtime's own reason, or ours where the runtime is silent.</summary>
static class DecisionWord
{
    /// <summary>The same for people, in the words of the documentation.</summary>
    public static string Plain(Gap gap) => gap switch
    {
        { Reason: { } reason } => reason.ToString(),
        { Mechanism: Mechanism.G3Silent } => "Undetected",
        { Mechanism: Mechanism.G8Ceiling } => "AtMaxThreads",
        _ => Of(gap),
    };

    public static string Of(Gap gap) => gap switch
    {
        { Reason: { } reason } => reason.ToString(),
        { Mechanism: Mechanism.G0Ramp } => "Ramp",
        { Mechanism: Mechanism.G3Silent } => "SilentStarvation",
        { Mechanism: Mechanism.G8Ceiling } => "Ceiling",
        { Mechanism: Mechanism.G9DetectorOff } => "DetectorOff",
        { Mechanism: Mechanism.G12NotRunning } => "NotRunning",
        { Mechanism: Mechanism.G13SlowThread } => "SlowThread",
        { Mechanism: Mechanism.G14Wedged } => "Wedged",
        { Mechanism: Mechanism.G11Probing } => "Probing",
        { Verdict: GapVerdict.Open } => "Waiting",
        _ => "Unexplained",
    };
}
