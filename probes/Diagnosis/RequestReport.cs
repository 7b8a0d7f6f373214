using Tpwatch.Items;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Puts what the requests probe saw into a report. Pure.</summary>
static class RequestReport
{
    /// <summary>One outside the starvation may have been the slow first; two say how long a route takes about.</summary>
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
