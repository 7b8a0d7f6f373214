namespace Tpwatch.Core;

/// <summary>A stretch of event time.</summary>
public readonly record struct EventSpan(EventTime From, EventTime To)
{
    /// <summary>Length in milliseconds.</summary>
    public double Ms => To.MsSince(From);

    /// <summary>Whether the two stretches share a moment.</summary>
    public bool Touches(EventSpan other) => From <= other.To && other.From <= To;
}
