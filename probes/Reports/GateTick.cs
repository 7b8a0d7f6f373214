namespace Tpwatch.Reports;

/// <summary>
/// A moment at which the rule allows the injection, milliseconds after the gap's start; at most 20 ms wide where ticks are known.
/// </summary>
public readonly record struct GapWindow(double MinMs, double MaxMs);

/// <summary>What the gate saw at one tick inside a gap.</summary>
/// <param name="At">Event time.</param>
/// <param name="SinceDequeueMs">Time since the last dequeue as the runtime's coarse clock
/// counts it, milliseconds; null when unknown.</param>
/// <param name="Cpu">Share of all processors around the tick, 0 to 1; null when unknown.</param>
/// <param name="Fired">Whether this tick injected.</param>
/// <param name="Why">The rule with its numbers, a few words.</param>
/// <param name="Sure">Whether the explanation survives a shift of the tick by 0.2 ms.</param>
/// <param name="Basis">Observed for the tick that injected, inferred for the others.</param>
public sealed record GateTick(EventTime At, double? SinceDequeueMs, double? Cpu, bool Fired, string Why, bool Sure, Basis Basis)
{
    /// <summary>What the rule says of this tick: that it injects, or not; null where something was missing to say.</summary>
    public bool? Answer { get; init; }

    /// <summary>Whether the clock that it read is set back by a dispatch (.NET 11 and later) instead of a dequeue.</summary>
    public bool IsByDispatch { get; init; }
}
