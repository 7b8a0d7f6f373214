namespace Tpwatch.Core;

/// <summary>A moment in event time, which is the target's monotonic clock, in nanoseconds since that clock's origin.</summary>
public readonly record struct EventTime(long Nanoseconds) : IComparable<EventTime>
{
    /// <summary>Milliseconds since the clock's origin, with decimals.</summary>
    public double Milliseconds => Nanoseconds / 1e6;

    /// <summary>Milliseconds from <paramref name="earlier"/> to this moment; negative when this moment comes first.</summary>
    public double MsSince(EventTime earlier) => (Nanoseconds - earlier.Nanoseconds) / 1e6;

    /// <summary>The moment <paramref name="milliseconds"/> later.</summary>
    public EventTime PlusMs(double milliseconds) => new(Nanoseconds + (long)Math.Round(milliseconds * 1e6));

    /// <summary>The later of two moments.</summary>
    public static EventTime Max(EventTime a, EventTime b) => a > b ? a : b;

    internal static EventTime Min(EventTime a, EventTime b) => a < b ? a : b;

    /// <inheritdoc/>
    public int CompareTo(EventTime other) => Nanoseconds.CompareTo(other.Nanoseconds);

    /// <summary>Whether <paramref name="left"/> is earlier than <paramref name="right"/>.</summary>
    public static bool operator <(EventTime left, EventTime right) => left.Nanoseconds < right.Nanoseconds;

    /// <summary>Whether <paramref name="left"/> is later than <paramref name="right"/>.</summary>
    public static bool operator >(EventTime left, EventTime right) => left.Nanoseconds > right.Nanoseconds;

    /// <summary>Whether <paramref name="left"/> is earlier than <paramref name="right"/> or equal.</summary>
    public static bool operator <=(EventTime left, EventTime right) => left.Nanoseconds <= right.Nanoseconds;

    /// <summary>Whether <paramref name="left"/> is later than <paramref name="right"/> or equal.</summary>
    public static bool operator >=(EventTime left, EventTime right) => left.Nanoseconds >= right.Nanoseconds;
}

/// <summary>A span of event time, both ends included.</summary>
public readonly record struct EventSpan(EventTime From, EventTime To)
{
    /// <summary>Length in milliseconds.</summary>
    public double Ms => To.MsSince(From);

    /// <summary>Whether the two spans have a moment in common.</summary>
    public bool Touches(EventSpan other) => From <= other.To && other.From <= To;
}

/// <summary>Binary search in lists that are ordered by time, so that a query for one span does not read the whole capture.</summary>
static class TimeOrderedSearch
{
    /// <summary>The index of the first item that is later than a moment; the count if there is none.</summary>
    public static int FirstAfter<T>(IReadOnlyList<T> ordered, EventTime at, Func<T, EventTime> timeOf)
    {
        var (from, to) = (0, ordered.Count);
        while (from < to)
        {
            var middle = (from + to) / 2;
            (from, to) = timeOf(ordered[middle]) > at ? (from, middle) : (middle + 1, to);
        }

        return from;
    }

    /// <summary>The index of the first item at a moment or later; the count if there is none.</summary>
    public static int FirstFrom<T>(IReadOnlyList<T> ordered, EventTime at, Func<T, EventTime> timeOf) =>
        FirstAfter(ordered, new(at.Nanoseconds - 1), timeOf);
}
