namespace Tpwatch.Core;

/// <summary>Binary search in lists that are ordered by time, so that a query for one span does not read the whole capture.</summary>
static class TimeOrder
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
