namespace Tpwatch.Core;

/// <summary>Finds in what lies in order of time, so that who asks about one stretch does not pay for the whole capture.</summary>
static class TimeOrder
{
    /// <summary>The index of the first that is later than a moment; the count where none is.</summary>
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

    /// <summary>The index of the first at a moment or later; the count where none is.</summary>
    public static int FirstFrom<T>(IReadOnlyList<T> ordered, EventTime at, Func<T, EventTime> timeOf) =>
        FirstAfter(ordered, new(at.Nanoseconds - 1), timeOf);
}
