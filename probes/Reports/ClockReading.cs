namespace Tpwatch.Reports;

/// <summary>How the machine refreshes its coarse clock, as seen from the watcher's own wake-ups.</summary>
enum ClockRegime
{
    /// <summary>Not known.</summary>
    Unknown,

    /// <summary>All processors were idle between wake-ups: the interrupt that wakes the gate also refreshes the clock.</summary>
    Idle,

    /// <summary>Some processor was awake all the time: the clock is refreshed at fixed edges.</summary>
    Busy,

    /// <summary>Both were seen; a tick is certain only where both models agree.</summary>
    Mixed,
}

/// <summary>
/// The coarse clock by which the runtime measures "time since the last dequeue" (CLOCK_MONOTONIC_COARSE on Linux): its values lie on
/// <c>GridMs + k·StepMs</c> and change at <c>EdgeMs + k·StepMs</c> of the monotonic clock.
/// </summary>
/// <param name="At">When it was read.</param>
/// <param name="StepMs">Distance of two values, milliseconds.</param>
/// <param name="GridMs">Value modulo step, milliseconds.</param>
/// <param name="EdgeMs">Moment of change modulo step, milliseconds.</param>
/// <param name="Regime">How the clock is refreshed at the moment.</param>
readonly record struct ClockReading(EventTime At, double StepMs, double GridMs, double EdgeMs, ClockRegime Regime)
{
    /// <summary>
    /// At what share of wake-ups, 0 to 1, their own interrupt had refreshed the clock; null when too few were seen to say.
    /// </summary>
    public double? IdleShare { get; init; }
}
