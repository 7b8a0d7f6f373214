namespace Tpwatch.Text;

/// <summary>The lanes at one moment; several buckets folded into one so that a day has no more points than a minute.</summary>
sealed record SeriesPoint(double T, int? Workers, int? Goal, long? Backlog, double? CompletedPerSecond, double? Cpu)
{
    /// <summary>Points of a report: more than a chart has columns.</summary>
    public const int MaxPoints = 600;

    /// <summary>The series of a capture, at most <see cref="MaxPoints"/> points.</summary>
    public static IReadOnlyList<SeriesPoint> Of(TimelineSnapshot timeline)
    {
        var buckets = timeline.Buckets;
        var count = buckets.EndIndex - buckets.FirstIndex;
        var fold = (int)Math.Max(1, (count + MaxPoints - 1) / MaxPoints);
        var points = new List<SeriesPoint>();
        for (var first = buckets.FirstIndex; first < buckets.EndIndex; first += fold)
        {
            points.Add(Fold(timeline, first, Math.Min(first + fold, buckets.EndIndex)));
        }

        return points;
    }

    static SeriesPoint Fold(TimelineSnapshot timeline, long first, long end)
    {
        var known = new List<Bucket>();
        for (var i = first; i < end; i++)
        {
            if (timeline.Buckets[i] is { Lost: false } bucket)
            {
                known.Add(bucket);
            }
        }

        // A peak must not vanish in a fold, so levels keep their maximum; rates and shares their mean; the goal its newest value.
        return new(
            Numbers.At(timeline, timeline.Buckets.TimeOf(first)),
            (int?)Highest(known.Select(b => (long)b.WorkersMax)), (int?)Newest(known.Select(b => (long)b.Goal)),
            Highest(known.Select(b => b.Backlog)), Numbers.Rounded(Mean(known.Select(b => b.CompletedPerSecond)), 2),
            Numbers.Share(Mean(known.Select(b => b.Cpu))));
    }

    static long? Highest(IEnumerable<long> values) => values.Where(v => v >= 0).Select(v => (long?)v).Max();

    static long? Newest(IEnumerable<long> values) => values.Where(v => v >= 0).Select(v => (long?)v).LastOrDefault();

    static double? Mean(IEnumerable<float> values) => values.Where(float.IsFinite).Select(v => (double?)v).Average();
}
