namespace Tpwatch.Screen.State;

/// <summary>A measurement that is off by default because of its overhead in the target.</summary>
enum DeepProbe
{
    /// <summary>Stack samples: where worker threads wait.</summary>
    Stacks,

    /// <summary>Queue time and run time of each work item.</summary>
    Items,
}

/// <summary>The state of a probe.</summary>
/// <param name="On">Whether the probe is on.</param>
/// <param name="Price">The overhead of the probe in the target, one sentence.</param>
/// <param name="WhyNot">Why the probe cannot be switched here; null where it can.</param>
sealed record ProbeState(bool On, string Price, string? WhyNot)
{
    /// <summary>One sentence about the last request: its progress, or why the request failed; null without a message.</summary>
    public string? Says { get; init; }

    /// <summary>Whether the last request is still in progress; another press of the key does not stop that request.</summary>
    public bool IsUnderWay { get; init; }
}

/// <summary>Switches probes on and off during a watch. Only the screen's thread calls the methods; each call returns quickly.</summary>
interface IProbeSwitch
{
    ProbeState Of(DeepProbe probe);

    /// <summary>Requests that the probe is switched on or off; returns a sentence that says what happens next.</summary>
    string Turn(DeepProbe probe, bool on);
}
