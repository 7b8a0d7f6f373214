using Tpwatch.Fixtures.Services.Running;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.LiveTests.Services;

/// <summary>
/// How long the requests of the healthy route took, without the time in which a thread of the service that only sleeps was late: on a busy
/// machine a service that starts is late, and no pool is at fault.
/// </summary>
static class PingTimes
{
    /// <summary>Within what 99 of 100 were answered, milliseconds; one without an answer has taken until the end at least.</summary>
    public static double P99Ms(RunTruth truth)
    {
        double[] times =
        [
            .. truth.Items.Where(item => item.Route == ServiceHost.Ping)
                .Select(item => RanMs(truth, item.Enqueued, item.Answered ?? truth.End.At)).Order(),
        ];
        Assert.NotEmpty(times);
        return times[(times.Length - 1) * 99 / 100];
    }

    static double RanMs(RunTruth truth, long from, long to) => truth.Ms(from, to) - truth.Hiccups
        .Select(hiccup => (From: hiccup.At - (long)(hiccup.OvershootMs * truth.Header.StopwatchFrequency / 1000), To: hiccup.At))
        .Sum(late => Math.Max(0, truth.Ms(Math.Max(from, late.From), Math.Min(to, late.To))));
}
