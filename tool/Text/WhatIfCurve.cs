using Tpwatch.WhatIf;

namespace Tpwatch.Text;

/// <summary>Workers and backlog in one stretch of time, as seen and as imagined; the most of each, null where nothing is known.</summary>
/// <param name="FromMs">Where the stretch begins, milliseconds after the first item.</param>
/// <param name="SeenWorkers">Workers that were seen.</param>
/// <param name="SeenBacklog">Items that were seen to wait.</param>
/// <param name="Workers">Workers imagined.</param>
/// <param name="Backlog">Items imagined to wait.</param>
sealed record WhatIfColumn(double FromMs, int? SeenWorkers, long? SeenBacklog, int? Workers, long? Backlog);

/// <summary>Lays what was seen and what was imagined over the same time.</summary>
static class WhatIfCurve
{
    /// <summary>So many stretches of equal length, from the first item to the later of the two ends.</summary>
    public static IReadOnlyList<WhatIfColumn> Of(PoolReport report, WhatIfAnswer answer, int columns)
    {
        var seenMs = answer.Seen.TotalMs ?? report.Timeline.Now.MsSince(answer.From);
        var imaginedMs = answer.Imagined.TotalMs ?? seenMs;
        var width = Math.Max(1, Math.Max(seenMs, imaginedMs) / columns);
        return [.. Enumerable.Range(0, columns).Select(n => Column(n * width, (n + 1) * width))];

        WhatIfColumn Column(double fromMs, double toMs)
        {
            var (from, to) = (answer.From.PlusMs(fromMs), answer.From.PlusMs(toMs));
            var seen = fromMs < seenMs;
            var points = fromMs < imaginedMs ? Points(answer, from, to) : [];
            return new(
                fromMs, seen ? SeenWorkers(report.Timeline.Buckets, from, to) : null, seen ? SeenBacklog(report.Timeline, from, to) : null,
                points.Length == 0 ? null : points.Max(p => p.Workers), points.Length == 0 ? null : points.Max(p => (long)p.Backlog));
        }
    }

    // What held at the beginning, and every change within.
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

    static long? SeenBacklog(TimelineSnapshot timeline, EventTime from, EventTime to) =>
        timeline.Heartbeats.Where(beat => beat.At >= from && beat.At < to).Select(beat => beat.Backlog).Max()
            ?? timeline.Heartbeats.FirstOrDefault(beat => beat.At >= to)?.Backlog;
}
