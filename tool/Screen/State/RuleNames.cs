using Tpwatch.Reports;

namespace Tpwatch.Screen.State;

/// <summary>Two words for each rule of the runtime, beside its code.</summary>
static class RuleNames
{
    public static string Of(GapRule rule) => rule switch
    {
        GapRule.G0Ramp => "on demand",
        GapRule.G1GateTick => "gate tick",
        GapRule.G2CpuThrottle => "cpu throttle",
        GapRule.G3Silent => "silent",
        GapRule.G4CooperativeStep => "task wait, step",
        GapRule.G5CooperativeJump => "task wait, free",
        GapRule.G6MemoryVeto => "memory veto",
        GapRule.G7Debt => "debt",
        GapRule.G8Ceiling => "ceiling",
        GapRule.G9DetectorOff => "detector off",
        GapRule.G10GoalOnly => "goal only",
        GapRule.G11Probing => "probing",
        GapRule.G12NotRunning => "not running",
        GapRule.G13SlowThread => "slow thread",
        GapRule.G14Wedged => "wedged",
        GapRule.G15TimeoutChurn => "idle time-out",
        _ => "",
    };
}
