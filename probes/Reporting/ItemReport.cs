using Tpwatch.Basics;
using Tpwatch.Forecast;
using Tpwatch.Reports;
using Tpwatch.Reports.Items;
using Tpwatch.Timeline.Items;

namespace Tpwatch.Reporting;

/// <summary>Puts what the items probe saw into a report. Pure.</summary>
static class ItemReport
{
    /// <summary>The report with its items.</summary>
    public static PoolReport AddTo(PoolReport report, ItemSnapshot items, DrainBasis? drains)
    {
        var waits = items.Slices.Select(s => (Slice: s, Line: StarvedFromNs(report, s))).ToArray();
        var all = DurationCounts.Sum(items.Slices.Select(s => s.Delay));
        return report with
        {
            Measured = items,
            Forecast = MeasuredForecast.Sharpen(report.Forecast, drains, items),
            QueueDelay = Distributions.Of(all, items.Unmatched),
            RunTime = Distributions.Of(DurationCounts.Sum(items.Slices.Select(s => s.Run)), items.EndUnseen),
            Items = new()
            {
                HealthyDelay = Part(waits.Select(w => w.Slice.Delay.Below(w.Line))),
                StarvedDelay = Part(waits.Select(w => w.Slice.Delay.From(w.Line))),
                HealthyRun = Part(waits.Where(w => w.Line > 0).Select(w => w.Slice.Run)),
                StarvedRun = Part(waits.Where(w => w.Line == 0).Select(w => w.Slice.Run)),
                OverTime = [.. items.Slices.Where(s => s.Delay.Count > 0).Select(Point)],
                Slowest = [.. items.Slowest.Select(i => SlowItem.Of(i, report.Gaps))],
                Waiting = items.Waiting,
                OldestWaitMs = items.OldestWaiting is { } oldest ? Math.Max(0, items.Listened.To.MsSince(oldest)) : null,
                Watched = items.Listened,
            },
        };
    }

    // From which wait on an item of the slice had waited in starved time: any, where an episode touches it; as long as the last one is over, after it.
    static long StarvedFromNs(PoolReport report, ItemSlice slice)
    {
        var before = report.Episodes.Where(e => e.Kind.IsWait() && e.Span.From <= slice.Span.To).ToArray();
        return before.Length == 0 ? long.MaxValue : Math.Max(0, slice.Span.From.Nanoseconds - before.Max(e => e.Span.To).Nanoseconds);
    }

    static Distribution? Part(IEnumerable<DurationCounts> counts) =>
        DurationCounts.Sum(counts) is { Count: > 0 } sum ? Distributions.Of(sum, 0) : null;

    static DelayPoint Point(ItemSlice slice) =>
        new(slice.Span, slice.Delay.Count, slice.Delay.QuantileMs(0.5), slice.Delay.QuantileMs(0.99), slice.Delay.MaxNs / 1e6);
}
