namespace Tpwatch.Reports;

/// <summary>How the machine refreshes its coarse clock, measured when tpwatch's own sampling thread wakes up.</summary>
enum ClockRegime
{
    /// <summary>Not known.</summary>
    Unknown,

    /// <summary>All processors were idle between wake-ups: the interrupt that wakes the gate thread also refreshes the clock.</summary>
    Idle,

    /// <summary>At least one processor was awake all the time: the clock is refreshed at fixed moments, one clock step apart.</summary>
    Busy,

    /// <summary>Both regimes were observed; what a gate check read is certain only if the models of both regimes agree.</summary>
    Mixed,
}

/// <summary>
/// The coarse clock with which the runtime measures "time since the last dequeue" (CLOCK_MONOTONIC_COARSE on Linux): its values are
/// <c>GridMs + k·StepMs</c>, and it changes at <c>EdgeMs + k·StepMs</c> of the monotonic clock.
/// </summary>
/// <param name="At">When the clock was read.</param>
/// <param name="StepMs">Difference between two successive values, milliseconds.</param>
/// <param name="GridMs">Value modulo the step, milliseconds.</param>
/// <param name="EdgeMs">Moment of change modulo the step, milliseconds.</param>
/// <param name="Regime">How the clock is currently refreshed.</param>
readonly record struct ClockReading(EventTime At, double StepMs, double GridMs, double EdgeMs, ClockRegime Regime)
{
    /// <summary>
    /// Share of wake-ups, 0 to 1, whose own interrupt had refreshed the clock; null if there were too few wake-ups to say.
    /// </summary>
    public double? IdleShare { get; init; }
}
