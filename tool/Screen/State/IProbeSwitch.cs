namespace Tpwatch.Screen.State;

/// <summary>A probe that is off unless asked for, since it costs the target something.</summary>
enum DeepProbe
{
    /// <summary>Where workers wait.</summary>
    Stacks,

    /// <summary>How long each item waits and runs.</summary>
    Items,
}

/// <summary>How it is with a probe.</summary>
/// <param name="On">Whether it runs.</param>
/// <param name="Price">What it costs the target, one sentence.</param>
/// <param name="WhyNot">Why it cannot be switched here; null where it can.</param>
sealed record ProbeState(bool On, string Price, string? WhyNot)
{
    /// <summary>How it goes: that it is tried, or why nothing came of it, one sentence; null while there is nothing to say.</summary>
    public string? Says { get; init; }

    /// <summary>Whether what was asked for last is still under way: to press again does not stop it.</summary>
    public bool IsUnderWay { get; init; }
}

/// <summary>Switches probes while watching. Used by the screen's thread alone; each call is quick.</summary>
interface IProbeSwitch
{
    ProbeState Of(DeepProbe probe);

    /// <summary>Asks for it; a sentence that says what happens now.</summary>
    string Turn(DeepProbe probe, bool on);
}
