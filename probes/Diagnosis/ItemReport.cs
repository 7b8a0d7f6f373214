using Tpwatch.Forecast;
using Tpwatch.Items;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Puts what the items probe saw into a report. Pure.</summary>
static class ItemReport
{
    /// <summary>The report with its items; those that still wait or run count with what they have behind them.</summary>
    public static PoolReport AddTo(PoolReport report, ItemSnapshot items, DrainCase? drains)
    {
        var waits = items.Slices.Select(s => (Slice: s, Line: StarvedFromNs(report, s.Span))).ToArray();
        var to = items.Listened.To;
        // An item that still waits counts as one that is taken at this moment.
        var line = StarvedFromNs(report, new(to, to)) / 1e6;
        var waiting = new OpenDurations([.. items.WaitingSince.Select(at => Math.Max(0, to.MsSince(at)))],
            items.Waiting - items.WaitingSince.Length);
        var running = new OpenDurations([.. items.Running.Select(i => Math.Max(0, to.MsSince(i.Taken)))], 0);
        return report with
        {
            Measured = items,
            Forecast = MeasuredForecast.Sharpen(report.Forecast, drains, items),
            QueueDelay = Distributions.Of(DurationCounts.Sum(items.Slices.Select(s => s.Delay)), items.Unmatched, waiting),
            RunTime = Distributions.Of(DurationCounts.Sum(items.Slices.Select(s => s.Run)), items.EndUnseen, running),
            Items = new()
            {
                HealthyDelay = Part(waits.Select(w => w.Slice.Delay.Below(w.Line)), Those(waiting, age => age < line)),
                StarvedDelay = Part(waits.Select(w => w.Slice.Delay.From(w.Line)), Those(waiting, age => age >= line)),
                HealthyRun = Part(waits.Where(w => w.Line > 0).Select(w => w.Slice.Run), Those(running, _ => line > 0)),
                StarvedRun = Part(waits.Where(w => w.Line == 0).Select(w => w.Slice.Run), Those(running, _ => line <= 0)),
                OverTime = [.. items.Slices.Where(s => s.Delay.Count > 0).Select(Point)],
                Slowest = [.. items.Slowest.Select(i => SlowItem.Of(i, report.Gaps))],
                Waiting = items.Waiting,
                OldestWaitMs = items.OldestWaiting is { } oldest ? Math.Max(0, to.MsSince(oldest)) : null,
                Watched = items.Listened,
            },
        };
    }

    // From which wait on an item had waited in starved time: any, where an episode touches the span; as long as the last one is over,
    // after it.
    internal static long StarvedFromNs(PoolReport report, EventSpan span)
    {
        var before = report.Episodes.Where(e => e.Kind.IsWait() && e.Span.From <= span.To).ToArray();
        return before.Length == 0 ? long.MaxValue : Math.Max(0, span.From.Nanoseconds - before.Max(e => e.Span.To).Nanoseconds);
    }

    static OpenDurations Those(OpenDurations open, Func<double, bool> wanted) => new([.. open.AgesMs.Where(wanted)], 0);

    static Distribution? Part(IEnumerable<DurationCounts> counts, OpenDurations open) =>
        Distributions.Of(DurationCounts.Sum(counts), 0, open) is { IsKnown: true } part ? part : null;

    static DelayPoint Point(ItemSlice slice) =>
        new(slice.Span, slice.Delay.Count, slice.Delay.QuantileMs(0.5), slice.Delay.QuantileMs(0.99), slice.Delay.MaxNs / 1e6);
}
