namespace Tpwatch.Reports;

/// <summary>
/// A time range in which the rule allows the injection, milliseconds after the start of the delay; at most 20 ms wide if the times of the
/// gate checks are known.
/// </summary>
public readonly record struct DelayWindow(double MinMs, double MaxMs);

/// <summary>One gate check during an injection delay.</summary>
/// <param name="At">Event time.</param>
/// <param name="SinceDequeueMs">Time since the last dequeue as the runtime's coarse clock
/// measures it, milliseconds; null when unknown.</param>
/// <param name="Cpu">Share of all processors around the gate check, 0 to 1; null when unknown.</param>
/// <param name="Fired">Whether this gate check added a thread.</param>
/// <param name="Why">The rule with its numbers, a few words.</param>
/// <param name="Sure">Whether the explanation stays the same if the gate check is shifted by 0.2 ms.</param>
/// <param name="Basis">Observed for the gate check that added a thread, inferred for the others.</param>
public sealed record GateCheck(EventTime At, double? SinceDequeueMs, double? Cpu, bool Fired, string Why, bool Sure, Basis Basis)
{
    /// <summary>Whether the rule adds a thread at this gate check; null if the data to decide is missing.</summary>
    public bool? Answer { get; init; }

    /// <summary>The rule with its numbers as a part of a sentence, without short forms.</summary>
    internal string Spoken { get; init; } = Why;

    /// <summary>Whether this check added nothing only because of the time that it read; nothing else is to say about it.</summary>
    internal bool IsReading { get; init; }

    /// <summary>Whether the sentence of the injection delay says why this check did not add a thread.</summary>
    internal bool IsTold { get; init; }

    /// <summary>Whether a dispatch (.NET 11 and later) instead of a dequeue resets the clock that the gate check reads.</summary>
    public bool IsByDispatch { get; init; }
}
