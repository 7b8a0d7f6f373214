namespace Tpwatch.Screen.State;

/// <summary>The 50 ms buckets of a capture, merged into the columns of a screen.</summary>
/// <param name="First">Index of the leftmost column, counted from the capture's start.</param>
/// <param name="Columns">The columns, from left to right.</param>
sealed record Fold(long First, ImmutableArray<Column> Columns)
{
    /// <summary>Length of a column, milliseconds.</summary>
    public int ColumnMs { get; init; }

    public static Fold Of(BucketSeries series, TimeWindow window)
    {
        var perColumn = Math.Max(1, window.ScaleMs / BucketSeries.BucketMs);
        var columns = ImmutableArray.CreateBuilder<Column>(window.Count);
        for (var x = 0; x < window.Count; x++)
        {
            columns.Add(Of(series, (window.First + x) * perColumn, perColumn));
        }

        return new(window.First, columns.MoveToImmutable()) { ColumnMs = window.ScaleMs };
    }

    /// <summary>Returns one column, merged from <paramref name="length"/> buckets starting at <paramref name="from"/>.</summary>
    static Column Of(BucketSeries series, long from, int length)
    {
        var (first, end) = (Math.Max(from, series.FirstIndex), Math.Min(from + length, series.EndIndex));
        if (first >= end)
        {
            return Column.Nothing;
        }

        var middle = from + length / 2;
        var column = Column.Nothing with { Seen = true };
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

    static Column Add(Column column, Bucket bucket, bool early) => column with
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
