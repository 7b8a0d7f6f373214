using System.Text.Json.Serialization;

namespace Tpwatch.Text;

/// <summary>The values of all lanes at one moment <c>T</c> (milliseconds since the start); one point folds several buckets.</summary>
sealed record SeriesPoint(double T, int? Workers, [property: JsonPropertyName("goal")] int? TargetThreads,
    [property: JsonPropertyName("backlog")] long? QueueLength, double? CompletedPerSecond, double? Cpu)
{
    /// <summary>Most points of a report, whatever its length: more than a chart has columns.</summary>
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

        // Levels keep their maximum so that a fold hides no peak, rates and shares their mean, the target thread count its newest value.
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
