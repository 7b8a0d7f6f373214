using Tpwatch.Reports;

namespace Tpwatch.Render.Shared;

/// <summary>The word for what happened: the runtime's own reason, or ours where the runtime is silent.</summary>
static class DecisionWord
{
    /// <summary>The word of a gap.</summary>
    public static string Of(Gap gap) => gap switch
    {
        { Reason: { } reason } => reason.ToString(),
        { Rule: GapRule.G0Ramp } => "Ramp",
        { Rule: GapRule.G3Silent } => "SilentStarvation",
        { Rule: GapRule.G8Ceiling } => "Ceiling",
        { Rule: GapRule.G9DetectorOff } => "DetectorOff",
        { Rule: GapRule.G12NotRunning } => "NotRunning",
        { Rule: GapRule.G13SlowThread } => "SlowThread",
        { Rule: GapRule.G14Wedged } => "Wedged",
        { Rule: GapRule.G11Probing } => "Probing",
        { Verdict: GapVerdict.Open } => "Waiting",
        _ => "Unexplained",
    };
}
