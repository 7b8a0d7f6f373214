namespace Tpwatch.Core;

/// <summary>A span of event time, both ends included.</summary>
public readonly record struct EventSpan(EventTime From, EventTime To)
{
    /// <summary>Length in milliseconds.</summary>
    public double Ms => To.MsSince(From);

    /// <summary>Whether the two spans have a moment in common.</summary>
    public bool Touches(EventSpan other) => From <= other.To && other.From <= To;
}
