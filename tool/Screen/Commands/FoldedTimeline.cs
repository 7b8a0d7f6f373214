namespace Tpwatch.Screen.Commands;

/// <summary>The 50 ms buckets of a capture, merged into the columns of a screen.</summary>
/// <param name="First">Index of the leftmost column, counted from the capture's start.</param>
/// <param name="Columns">The columns, from left to right.</param>
sealed record FoldedTimeline(long First, ImmutableArray<TimelineColumn> Columns)
{
    /// <summary>Length of a column, milliseconds.</summary>
    public int ColumnMs { get; init; }

    public static FoldedTimeline Of(BucketSeries series, TimeWindow window)
    {
        var perColumn = Math.Max(1, window.ScaleMs / BucketSeries.BucketMs);
        var columns = ImmutableArray.CreateBuilder<TimelineColumn>(window.Count);
        for (var x = 0; x < window.Count; x++)
        {
            columns.Add(Of(series, (window.First + x) * perColumn, perColumn));
        }

        return new(window.First, columns.MoveToImmutable()) { ColumnMs = window.ScaleMs };
    }

    /// <summary>Returns one column, merged from <paramref name="length"/> buckets starting at <paramref name="from"/>.</summary>
    static TimelineColumn Of(BucketSeries series, long from, int length)
    {
        var (first, end) = (Math.Max(from, series.FirstIndex), Math.Min(from + length, series.EndIndex));
        if (first >= end)
        {
            return TimelineColumn.Nothing;
        }

        var middle = from + length / 2;
        var column = TimelineColumn.Nothing with { Seen = true };
        var (done, rates) = (0.0, 0L);
        for (var i = first; i < end;)
        {
            var (bucket, next) = (series[i], Math.Min(end, series.Next(i)));
            column = Add(column, bucket, early: i < middle);
            (done, rates) = float.IsNaN(bucket.CompletedPerSecond)
                ? (done, rates)
                : (done + bucket.CompletedPerSecond * (next - i), rates + (next - i));
            i = next;
        }

        return column with { Done = rates == 0 ? double.NaN : done / rates };
    }

    static TimelineColumn Add(TimelineColumn column, Bucket bucket, bool early) => column with
    {
        Lost = column.Lost || bucket.Lost,
        Early = early ? column.Early.With(bucket.WorkersMin, bucket.WorkersMax) : column.Early,
        Late = early ? column.Late : column.Late.With(bucket.WorkersMin, bucket.WorkersMax),
        TargetThreads = bucket.TargetThreads >= 0 ? bucket.TargetThreads : column.TargetThreads,
        QueueLength = Math.Max(column.QueueLength, bucket.QueueLength),
        Cpu = Larger(column.Cpu, bucket.Cpu),
    };

    static double Larger(double known, double next) => double.IsNaN(known) || next > known ? next : known;
}

/// <summary>Smallest, largest and last number of worker threads in a span of time; -1 means unknown.</summary>
readonly record struct WorkerCountRange(int Min, int Max, int Last)
{
    public static WorkerCountRange Unknown { get; } = new(-1, -1, -1);
    public bool IsKnown => Max >= 0;

    public WorkerCountRange With(int min, int max) => max < 0 ? this : !IsKnown
        ? new(min, max, max)
        : new(Math.Min(Min, min), Math.Max(Max, max), max);
}

/// <summary>The values of one screen column, merged from 50 ms buckets so that no spike is lost. -1 and NaN mean unknown.</summary>
/// <param name="Seen">Whether the capture covers the column.</param>
/// <param name="Lost">Whether events were lost in the column; the lanes then draw no value.</param>
/// <param name="Early">Numbers of worker threads in the first half of the column.</param>
/// <param name="Late">Numbers of worker threads in the second half of the column.</param>
/// <param name="TargetThreads">Target thread count at the end of the column.</param>
/// <param name="QueueLength">Largest queue length in the column.</param>
/// <param name="Done">Mean number of completed items per second.</param>
/// <param name="Cpu">Largest used share of all processors, 0 to 1.</param>
readonly record struct TimelineColumn(bool Seen, bool Lost, WorkerCountRange Early, WorkerCountRange Late, int TargetThreads,
    long QueueLength, double Done, double Cpu)
{
    public static TimelineColumn Nothing { get; } =
        new(false, false, WorkerCountRange.Unknown, WorkerCountRange.Unknown, -1, -1, double.NaN, double.NaN);

    /// <summary>Numbers of worker threads over the whole column.</summary>
    public WorkerCountRange Workers => Late.IsKnown && Early.IsKnown
        ? new(Math.Min(Early.Min, Late.Min), Math.Max(Early.Max, Late.Max), Late.Last)
        : Late.IsKnown ? Late : Early;
}

/// <summary>
/// The time columns on the screen. Column n always starts n times <paramref name="ScaleMs"/> after <paramref name="Origin"/>. So scrolling
/// moves whole columns and does not change the content of a column.
/// </summary>
/// <param name="Origin">Start of column 0.</param>
/// <param name="ScaleMs">Length of a column, milliseconds.</param>
/// <param name="First">Index of the leftmost column on the screen.</param>
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

    /// <summary>Returns the screen column of a moment; -1 for left of the screen, <see cref="Count"/> for right of the screen.</summary>
    public int XOf(EventTime at) => (int)Math.Clamp(ColumnOf(at) - First, -1, Count);

    public bool Shows(EventTime at) => XOf(at) >= 0 && XOf(at) < Count;

    public EventTime TimeOf(long column) => Origin.PlusMs(column * (double)ScaleMs);
}

/// <summary>The time scales that the user can choose. At each scale, twelve columns make a round time for the time labels.</summary>
static class Zoom
{
    /// <summary>The scales, milliseconds per column; each is a multiple of the length of a bucket.</summary>
    static readonly int[] Steps = [50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

    /// <summary>Default scale, milliseconds per column: about 15 seconds fit on one screen.</summary>
    public const int Default = 250;

    /// <summary>
    /// Largest scale, milliseconds per column, at which each gate check has a column of its own and the lanes of gate checks appear.
    /// </summary>
    public const int ChecksVisible = 100;

    /// <summary>Returns the finest scale at which a span of time fits into <paramref name="columns"/> columns.</summary>
    public static int Fitting(double milliseconds, int columns) =>
        Steps.FirstOrDefault(s => milliseconds <= (double)s * columns, Steps[^1]);

    public static int In(int scaleMs) => Steps.LastOrDefault(s => s < scaleMs, Steps[0]);

    public static int Out(int scaleMs) => Steps.FirstOrDefault(s => s > scaleMs, Steps[^1]);
}
