namespace Tpwatch.Core;

/// <summary>
/// A moment on the target's monotonic clock, in nanoseconds since that clock's origin. All decisions use event time. Only the session,
/// which reads both clocks at once, compares event time with tpwatch's own clock.
/// </summary>
public readonly record struct EventTime(long Nanoseconds) : IComparable<EventTime>
{
    /// <summary>Milliseconds as a fraction, for arithmetic with the runtime's rules, which are stated in milliseconds.</summary>
    public double Milliseconds => Nanoseconds / 1e6;

    /// <summary>Milliseconds from <paramref name="earlier"/> to this moment; negative when this moment comes first.</summary>
    public double MsSince(EventTime earlier) => (Nanoseconds - earlier.Nanoseconds) / 1e6;

    /// <summary>The moment <paramref name="milliseconds"/> later.</summary>
    public EventTime PlusMs(double milliseconds) => new(Nanoseconds + (long)Math.Round(milliseconds * 1e6));

    /// <summary>The later of two moments.</summary>
    public static EventTime Max(EventTime a, EventTime b) => a > b ? a : b;

    /// <summary>The earlier of two moments.</summary>
    internal static EventTime Min(EventTime a, EventTime b) => a < b ? a : b;

    /// <inheritdoc/>
    public int CompareTo(EventTime other) => Nanoseconds.CompareTo(other.Nanoseconds);

    /// <summary>Earlier than.</summary>
    public static bool operator <(EventTime left, EventTime right) => left.Nanoseconds < right.Nanoseconds;

    /// <summary>Later than.</summary>
    public static bool operator >(EventTime left, EventTime right) => left.Nanoseconds > right.Nanoseconds;

    /// <summary>Not later than.</summary>
    public static bool operator <=(EventTime left, EventTime right) => left.Nanoseconds <= right.Nanoseconds;

    /// <summary>Not earlier than.</summary>
    public static bool operator >=(EventTime left, EventTime right) => left.Nanoseconds >= right.Nanoseconds;
}
