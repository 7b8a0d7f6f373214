using Tpwatch.Reports;

namespace Tpwatch.Screen.State;

/// <summary>Two words for each rule of the runtime, beside its code.</summary>
static class RuleNames
{
    public static string Of(Mechanism rule) => rule switch
    {
        Mechanism.G0Ramp => "on demand",
        Mechanism.G1GateTick => "gate tick",
        Mechanism.G2CpuThrottle => "cpu throttle",
        Mechanism.G3Silent => "silent",
        Mechanism.G4CooperativeStep => "task wait, step",
        Mechanism.G5CooperativeJump => "task wait, free",
        Mechanism.G6MemoryVeto => "memory veto",
        Mechanism.G7Debt => "debt",
        Mechanism.G8Ceiling => "ceiling",
        Mechanism.G9DetectorOff => "detector off",
        Mechanism.G10GoalOnly => "goal only",
        Mechanism.G11Probing => "probing",
        Mechanism.G12NotRunning => "not running",
        Mechanism.G13SlowThread => "slow thread",
        Mechanism.G14Wedged => "wedged",
        Mechanism.G15TimeoutChurn => "idle timeout",
        _ => "",
    };
}
