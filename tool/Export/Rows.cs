namespace Tpwatch.Export;

/// <summary>
/// Puts stretches of time into as few rows as they need so that none overlaps another: a reader of traces nests what overlaps, or drops it.
/// </summary>
static class Rows
{
    /// <summary>Each with its row, from 0.</summary>
    public static IEnumerable<(T Item, int Row)> Of<T>(IEnumerable<T> items, Func<T, EventSpan> span)
    {
        var ends = new List<EventTime>();
        foreach (var item in items.OrderBy(i => span(i).From))
        {
            var (from, to) = span(item);
            var row = ends.FindIndex(end => end <= from);
            if (row < 0)
            {
                row = ends.Count;
                ends.Add(to);
            }

            ends[row] = to;
            yield return (item, row);
        }
    }
}
