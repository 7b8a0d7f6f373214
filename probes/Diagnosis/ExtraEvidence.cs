using Tpwatch.Forecast;
using Tpwatch.Items;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Diagnosis;

/// <summary>Further inputs of a report, in addition to the timeline and the ledger.</summary>
sealed record ExtraEvidence
{
    /// <summary>The forecast.</summary>
    public PoolForecast? Forecast { get; init; }

    /// <summary>The case that the queue drains by; null when no item waits.</summary>
    public DrainCase? Drains { get; init; }

    /// <summary>The depth that was switched on.</summary>
    public CaptureDepth Depth { get; init; }

    /// <summary>Items and locks; null without a second session.</summary>
    public DeepSnapshot? Deep { get; init; }

    /// <summary>Requests; null when none were watched, or none arrived.</summary>
    public RequestSnapshot? Requests { get; init; }

    /// <summary>Whether requests are watched, even if none has arrived yet.</summary>
    public bool WatchesRequests { get; init; }

    /// <summary>
    /// The requested interval of counter samples of a live target, milliseconds; null when unknown, or when none are requested.
    /// </summary>
    public double? SampleIntervalMs { get; init; }

    /// <summary>Stack bursts; null when none were allowed.</summary>
    public StacksSeen? Stacks { get; init; }

    /// <summary>The inputs for a process that has ended: it has no forecast, but past predictions keep their score.</summary>
    public ExtraEvidence OfThePast() => this with
    {
        Forecast = Forecast is null ? null : Forecast with { NextInjection = null, QueueEmpty = null, StartDelayOfNewItem = null },
        Drains = null,
    };

    public PoolReport AddTo(PoolReport report)
    {
        var items = Deep is { } deep && Depth.HasFlag(CaptureDepth.Items) ? ItemReport.AddTo(report, deep.Items, Drains) : report;
        var served = Requests is { } requests ? RequestReport.AddTo(items, requests) : items;
        return Stacks is { } stacks ? BlockerAnalysis.AddTo(served, stacks, Requests) : served;
    }
}

/// <summary>Adds the data of the requests probe to a report. Pure.</summary>
static class RequestReport
{
    /// <summary>
    /// The fewest requests outside starvation for a usual time: one may have been the slow first request; two show the usual time of a
    /// route.
    /// </summary>
    const long EnoughOutside = 2;

    public static PoolReport AddTo(PoolReport report, RequestSnapshot seen) => report with
    {
        Requests = new()
        {
            Routes =
            [
                .. seen.Routes.Select(r => Of(report, r, seen.Listened.To)).OrderByDescending(r => r.LostMs)
                    .ThenByDescending(r => r.All.MaxMs).ThenBy(r => r.Route, StringComparer.Ordinal),
            ],
            UnderWay = seen.Routes.Sum(r => r.UnderWay.Length + r.More),
            Unmatched = seen.Unmatched,
            OverTime = seen.OverTime,
            Watched = seen.Listened,
        },
    };

    static RouteTimes Of(PoolReport report, RouteSeen route, EventTime now)
    {
        var onset = report.Episodes.Where(e => e.Kind.IsWait()).Select(e => e.Span.From).DefaultIfEmpty(new(long.MaxValue)).Min();
        var slices = route.Slices.Select(s => (Slice: s, Line: ItemReport.StarvedFromNs(report, s.Span))).ToArray();
        var line = ItemReport.StarvedFromNs(report, new(now, now)) / 1e6;
        double[] ages = [.. route.UnderWay.Select(at => Math.Max(0, now.MsSince(at)))];
        var (met, others) = (Those(ages, age => age >= line), Those(ages, age => age < line));
        var hasStarved = onset.Nanoseconds < long.MaxValue;
        var during = DurationCounts.Sum(slices.Select(s => s.Slice.Delay.From(s.Line)));
        var before = DurationCounts.Sum(slices.Where(s => s.Slice.Span.To <= onset).Select(s => s.Slice.Delay));
        var after = DurationCounts.Sum(slices.Where(s => s.Slice.Span.To > onset).Select(s => s.Slice.Delay.Below(s.Line)));
        return new(
            route.Route, Distributions.Of(DurationCounts.Sum(route.Slices.Select(s => s.Delay)), 0, new(ages, route.More)),
            ages.Length + route.More, Lost(during, met, DurationCounts.Sum([before, after])))
        {
            Before = Part(before, hasStarved ? OpenDurations.None : others),
            During = Part(during, met),
            After = Part(after, hasStarved ? others : OpenDurations.None),
        };
    }

    static OpenDurations Those(double[] ages, Func<double, bool> wanted) => new([.. ages.Where(wanted)], 0);

    static double Lost(DurationCounts during, OpenDurations met, DurationCounts outside)
    {
        var usual = outside.Count >= EnoughOutside ? outside.QuantileMs(0.5) : 0;
        return during.Filled.Sum(b => b.Count * Math.Max(0, during.MiddleMs(b.Index) - usual))
            + met.AgesMs.Sum(age => Math.Max(0, age - usual));
    }

    static Distribution? Part(DurationCounts counts, OpenDurations open) =>
        Distributions.Of(counts, 0, open) is { IsKnown: true } part ? part : null;
}

/// <summary>Adds the data of the items probe to a report. Pure.</summary>
static class ItemReport
{
    /// <summary>The report with its items; items that still wait or run count with their time so far.</summary>
    public static PoolReport AddTo(PoolReport report, ItemSnapshot items, DrainCase? drains)
    {
        var waits = items.Slices.Select(s => (Slice: s, Line: StarvedFromNs(report, s.Span))).ToArray();
        var to = items.Listened.To;
        // An item that still waits counts as if it were taken at this time.
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
                Slowest = [.. items.Slowest.Select(i => SlowItem.Of(i, report.InjectionDelays))],
                Waiting = items.Waiting,
                OldestWaitMs = items.OldestWaiting is { } oldest ? Math.Max(0, to.MsSince(oldest)) : null,
                Watched = items.Listened,
            },
        };
    }

    // The wait from which an item waited in starved time: any wait if an episode touches the span, otherwise the time since the last
    // episode ended.
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
