using Tpwatch.WhatIf;

namespace Tpwatch.Text;

/// <summary>Worker threads and queue length in one interval, measured and simulated: the maximum of each, null if not known.</summary>
/// <param name="FromMs">Begin of the interval, milliseconds after the first item.</param>
/// <param name="SeenWorkers">Worker threads measured.</param>
/// <param name="SeenQueueLength">Queue length measured.</param>
/// <param name="Workers">Worker threads simulated.</param>
/// <param name="QueueLength">Queue length simulated.</param>
sealed record WhatIfColumn(double FromMs, int? SeenWorkers, long? SeenQueueLength, int? Workers, long? QueueLength);

/// <summary>Puts the measured and the simulated run on the same time axis.</summary>
static class WhatIfCurve
{
    /// <summary><paramref name="columns"/> intervals of equal length, from the first item to the later end of the two runs.</summary>
    public static IReadOnlyList<WhatIfColumn> Of(PoolReport report, WhatIfAnswer answer, int columns)
    {
        var seenMs = answer.Seen.TotalMs ?? report.Timeline.Now.MsSince(answer.From);
        var imaginedMs = answer.Simulated.TotalMs ?? seenMs;
        var width = Math.Max(1, Math.Max(seenMs, imaginedMs) / columns);
        return [.. Enumerable.Range(0, columns).Select(n => Column(n * width, (n + 1) * width))];

        WhatIfColumn Column(double fromMs, double toMs)
        {
            var (from, to) = (answer.From.PlusMs(fromMs), answer.From.PlusMs(toMs));
            var seen = fromMs < seenMs;
            var points = fromMs < imaginedMs ? Points(answer, from, to) : [];
            return new(
                fromMs, seen ? SeenWorkers(report.Timeline.Buckets, from, to) : null, seen ? SeenQueueLength(report.Timeline, from, to)
                    : null,
                points.Length == 0 ? null : points.Max(p => p.Workers), points.Length == 0 ? null : points.Max(p => (long)p.QueueLength));
        }
    }

    // The value at the beginning of the interval, and every change within it.
    static WhatIfPoint[] Points(WhatIfAnswer answer, EventTime from, EventTime to)
    {
        var curve = answer.Run.Curve;
        var before = curve.Count(p => p.At <= from) - 1;
        return [.. curve.Skip(Math.Max(0, before)).TakeWhile(p => p.At < to)];
    }

    static int? SeenWorkers(BucketSeries buckets, EventTime from, EventTime to)
    {
        var most = -1;
        for (var index = buckets.IndexOf(from); index <= buckets.IndexOf(to); index++)
        {
            most = Math.Max(most, buckets[index].WorkersMax);
        }

        return most < 0 ? null : most;
    }

    static long? SeenQueueLength(TimelineSnapshot timeline, EventTime from, EventTime to) =>
        timeline.CounterSamples.Where(sample => sample.At >= from && sample.At < to).Select(sample => sample.QueueLength).Max()
            ?? timeline.CounterSamples.FirstOrDefault(sample => sample.At >= to)?.QueueLength;
}
