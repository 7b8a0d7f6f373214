using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Reports;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Reporting;

/// <summary>Requests before, in and after one episode, from 5 to 10 s.</summary>
public sealed class RequestReportTests
{
    readonly RequestTracker tracker = new();
    ulong next;

    public RequestReportTests() => tracker.Opened(SampleReports.At(0));

    [Fact]
    public void Requests_are_told_apart_by_whether_they_met_starvation_and_by_the_time_it_took_from_them()
    {
        Requests("GET /slow", 0, 10, 20);
        Requests("GET /slow", 6000, 4, 2020);
        Requests("GET /slow", 12_000, 10, 20);
        Requests("GET /steady", 0, 10, 300);
        Requests("GET /steady", 6000, 4, 300);
        var report = Report();
        Assert.Equal(["GET /slow", "GET /steady"], report.Requests!.Routes.Select(r => r.Route));
        var slow = report.Requests.Routes[0];
        Assert.Equal((10L, 4L, 10L), (slow.Before!.Count, slow.During!.Count, slow.After!.Count));
        Assert.InRange(slow.During.P50Ms, 2000, 2040);
        Assert.InRange(slow.LostMs, 7900, 8100);
        Assert.InRange(report.Requests.Routes[1].LostMs, 0, 40);
    }

    [Fact]
    public void What_is_still_under_way_has_lost_its_time_as_well()
    {
        Requests("GET /slow", 0, 10, 20);
        tracker.Started(new RequestStarted(SampleReports.At(6000), 1, 1000, "GET /slow"));
        tracker.Listened(SampleReports.At(9000));
        var route = Report().Requests!.Routes.Single();
        Assert.Equal((1, 1L), (route.UnderWay, route.During!.Unfinished));
        Assert.InRange(route.LostMs, 2950, 3000);
    }

    [Fact]
    public void Without_starvation_all_is_before_it()
    {
        Requests("GET /slow", 0, 10, 20);
        var route = Deepened.WithRequests(SampleReports.Healthy(), tracker.Snapshot()).Requests!.Routes.Single();
        Assert.Equal((10L, null, null, 0.0), (route.Before!.Count, route.During, route.After, route.LostMs));
    }

    void Requests(string route, double from, int count, double ms)
    {
        for (var n = 0; n < count; n++, next++)
        {
            var start = from + n * 5;
            tracker.Started(new RequestStarted(SampleReports.At(start), (int)next, next, route));
            tracker.Stopped(new RequestStopped(SampleReports.At(start + ms), (int)next, next, route));
        }
    }

    PoolReport Report() => Deepened.WithRequests(
        SampleReports.Healthy() with
        {
            Episodes = [new(new(SampleReports.At(5000), SampleReports.At(10_000)), Verdict.Starved, Over: true, 2000)],
        },
        tracker.Snapshot());
}
