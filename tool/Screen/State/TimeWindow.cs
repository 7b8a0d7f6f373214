namespace Tpwatch.Screen.State;

/// <summary>
/// The time columns on the screen. Column n always starts n times <paramref name="ScaleMs"/> after <paramref name="Origin"/>. So scrolling
/// moves whole columns and does not change the content of a column.
/// </summary>
/// <param name="Origin">Start of column 0.</param>
/// <param name="ScaleMs">Length of a column, milliseconds.</param>
/// <param name="First">Index of the leftmost column on the screen.</param>
/// <param name="Count">Number of columns on the screen.</param>
readonly record struct TimeWindow(EventTime Origin, int ScaleMs, long First, int Count)
{
    public long End => First + Count;
    public EventTime From => TimeOf(First);
    public EventTime To => TimeOf(End);
    public EventSpan Span => new(From, To);

    public static TimeWindow Of(TimelineSnapshot timeline, ViewState state, int columns)
    {
        var all = new TimeWindow(timeline.Buckets.Origin, state.ScaleMs, 0, 0);
        var end = state.Right is { } right ? (long)Math.Ceiling(right.MsSince(all.Origin) / state.ScaleMs) : all.ColumnOf(timeline.Now) + 1;
        return all with { First = end - columns, Count = columns };
    }

    public long ColumnOf(EventTime at) => (long)Math.Floor(at.MsSince(Origin) / ScaleMs);

    /// <summary>The screen column of a moment; -1 for a moment left of the screen, <see cref="Count"/> for one right of it.</summary>
    public int XOf(EventTime at) => (int)Math.Clamp(ColumnOf(at) - First, -1, Count);

    public bool Shows(EventTime at) => XOf(at) >= 0 && XOf(at) < Count;

    public EventTime TimeOf(long column) => Origin.PlusMs(column * (double)ScaleMs);
}
