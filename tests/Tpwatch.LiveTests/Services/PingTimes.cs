using Tpwatch.Fixtures.Services.Running;
using Tpwatch.Fixtures.Truth;

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

    /// <summary>The longest time of a request to the route that blocks nothing, with standstills of the machine, milliseconds.</summary>
    public static double LongestMs(RunTruth truth) => truth.Items.Where(item => item.Route == ServiceHost.Ping)
        .Max(item => truth.Ms(item.Enqueued, item.Answered ?? truth.End.At));

    static double RanMs(RunTruth truth, long from, long to) => truth.Ms(from, to) - truth.Hiccups
        .Select(hiccup => (From: hiccup.At - (long)(hiccup.OvershootMs * truth.Header.StopwatchFrequency / 1000), To: hiccup.At))
        .Sum(late => Math.Max(0, truth.Ms(Math.Max(from, late.From), Math.Min(to, late.To))));
}
