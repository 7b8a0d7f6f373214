namespace Tpwatch.Screen.State;

/// <summary>A short name for each rule of the runtime, shown in addition to its code.</summary>
static class RuleNames
{
    public static string Of(Mechanism rule) => rule switch
    {
        Mechanism.G0Ramp => "on demand",
        Mechanism.G1GateTick => "gate check",
        Mechanism.G2CpuThrottle => "busy processors",
        Mechanism.G3Undetected => "undetected",
        Mechanism.G4CooperativeStep => "task wait, delayed",
        Mechanism.G5CooperativeJump => "task wait, at once",
        Mechanism.G6MemoryVeto => "memory is high",
        Mechanism.G7Debt => "mixed blocking",
        Mechanism.G8Ceiling => "MaxThreads",
        Mechanism.G9DetectorOff => "detection off",
        Mechanism.G10GoalOnly => "no thread needed",
        Mechanism.G11Probing => "hill climbing",
        Mechanism.G12NotRunning => "not running",
        Mechanism.G13SlowThread => "slow thread start",
        Mechanism.G14Wedged => "wedged",
        Mechanism.G15TimeoutChurn => "idle timeout",
        _ => "",
    };
}
