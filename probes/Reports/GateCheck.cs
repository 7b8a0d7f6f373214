namespace Tpwatch.Reports;

/// <summary>
/// A time range in which the rule allows the injection, in milliseconds after the start of the injection delay. Its width is 20 ms or less
/// if the times of the gate checks are known.
/// </summary>
public readonly record struct DelayWindow(double MinMs, double MaxMs);

/// <summary>One gate check during an injection delay.</summary>
/// <param name="At">Event time.</param>
/// <param name="SinceDequeueMs">Time since the last dequeue by the runtime's coarse clock, milliseconds; null when unknown.</param>
/// <param name="Cpu">Share of all processors around the gate check, 0 to 1; null when unknown.</param>
/// <param name="Fired">Whether this gate check added a thread.</param>
/// <param name="Why">The rule with the numbers of this gate check, a few words.</param>
/// <param name="Sure">Whether the explanation stays the same if the gate check is shifted by 0.2 ms.</param>
/// <param name="Basis">Observed for the gate check that added a thread, inferred for the other gate checks.</param>
public sealed record GateCheck(EventTime At, double? SinceDequeueMs, double? Cpu, bool Fired, string Why, bool Sure, Basis Basis)
{
    /// <summary>Whether the rule adds a thread at this gate check; null if the data to decide is missing.</summary>
    public bool? Answer { get; init; }

    /// <summary>The same as <see cref="Why"/>, but as a part of a sentence and without abbreviations.</summary>
    internal string Spoken { get; init; } = Why;

    /// <summary>Whether the time since the last dequeue is the only and certain reason for which this gate check added no thread.</summary>
    internal bool IsReading { get; init; }

    /// <summary>Whether <see cref="InjectionDelay.Because"/> already says why this gate check added no thread.</summary>
    internal bool IsTold { get; init; }

    /// <summary>Whether a dispatch (.NET 11 and later) instead of a dequeue resets the clock that the gate check reads.</summary>
    public bool IsByDispatch { get; init; }
}
