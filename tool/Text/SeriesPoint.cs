using System.Text.Json.Serialization;

namespace Tpwatch.Text;

/// <summary>One point of all curves of a chart, at <c>T</c> milliseconds after the start; combines one or more timeline buckets.</summary>
sealed record SeriesPoint(double T, int? Workers, [property: JsonPropertyName("goal")] int? TargetThreads,
    [property: JsonPropertyName("backlog")] long? QueueLength, double? CompletedPerSecond, double? Cpu)
{
    /// <summary>Maximum number of points for a capture of any length; a chart has fewer columns.</summary>
    public const int MaxPoints = 600;

    /// <summary>Returns the points of a capture, <see cref="MaxPoints"/> or fewer.</summary>
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

        // Thread count and queue length have their maximum, so that no peak is lost; rates have the mean, the target the newest value.
        return new(
            Numbers.At(timeline, timeline.Buckets.TimeOf(first)),
            (int?)Highest(known.Select(b => (long)b.WorkersMax)), (int?)Newest(known.Select(b => (long)b.TargetThreads)),
            Highest(known.Select(b => b.QueueLength)), Numbers.Rounded(Mean(known.Select(b => b.CompletedPerSecond)), 2),
            Numbers.Share(Mean(known.Select(b => b.Cpu))));
    }

    static long? Highest(IEnumerable<long> values) => values.Where(v => v >= 0).Select(v => (long?)v).Max();

    static long? Newest(IEnumerable<long> values) => values.Where(v => v >= 0).Select(v => (long?)v).LastOrDefault();

    static double? Mean(IEnumerable<float> values) => values.Where(float.IsFinite).Select(v => (double?)v).Average();
}
