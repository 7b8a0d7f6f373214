using Tpwatch.Core;
using Tpwatch.Fixtures.Services.Running;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Services;

/// <summary>
/// How long the requests of the healthy route took in the later half, when the service has compiled what it runs, without the time in which
/// a thread of the service that only sleeps was late: on a busy machine no pool is at fault for that.
/// </summary>
static class PingTimes
{
    /// <summary>Within what 99 of 100 were answered, milliseconds; one without an answer has taken until the end at least.</summary>
    public static double P99Ms(RunTruth truth)
    {
        TruthItem[] pings = [.. truth.Items.Where(item => item.Route == ServiceHost.Ping).OrderBy(item => item.Enqueued)];
        double[] times =
            [.. pings.Skip(pings.Length / 2).Select(item => RanMs(truth, item.Enqueued, item.Answered ?? truth.End.At)).Order()];
        Assert.NotEmpty(times);
        return times[(times.Length - 1) * 99 / 100];
    }

    /// <summary>
    /// The longest time of an answered request to the route that blocks nothing, in the time of the episodes, milliseconds; standstills of
    /// the machine count. 0 if there was none.
    /// </summary>
    public static double LongestMs(RunTruth truth, IEnumerable<StarvedEpisode> episodes) => truth.Items
        .Where(item => item.Route == ServiceHost.Ping && item.Answered is { } answered
            && episodes.Any(e => new EventTime(answered) >= e.Span.From && new EventTime(item.Enqueued) <= e.Span.To))
        .Select(item => truth.Ms(item.Enqueued, item.Answered!.Value)).DefaultIfEmpty().Max();

    static double RanMs(RunTruth truth, long from, long to) => truth.Ms(from, to) - truth.Hiccups
        .Select(hiccup => (From: hiccup.At - (long)(hiccup.OvershootMs * truth.Header.StopwatchFrequency / 1000), To: hiccup.At))
        .Sum(late => Math.Max(0, truth.Ms(Math.Max(from, late.From), Math.Min(to, late.To))));
}
