using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Reports;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Timeline.Items;

public sealed class RequestTrackerTests
{
    readonly RequestTracker tracker = new();

    public RequestTrackerTests() => tracker.Opened(SampleReports.At(0));

    [Fact]
    public void A_request_is_as_long_as_from_its_beginning_to_its_end_wherever_that_is()
    {
        Start(100, 1, 7, "GET /a");
        Stop(350, 2, 7, "GET /a");
        var seen = tracker.Snapshot();
        Assert.Equal(250, seen.Routes.Single().Slices.Single().Delay.MaxNs / 1e6);
        Assert.Equal((0, 0L), (seen.Routes[0].UnderWay.Length, seen.Unmatched));
    }

    [Fact]
    public void Of_a_request_that_began_before_only_its_route_and_its_thread_are_known()
    {
        Stop(500, 1, 7, "GET /a");
        var seen = tracker.Snapshot();
        Assert.Equal((1L, 0), (seen.Unmatched, seen.Routes.Length));
        Assert.Equal(new RequestEventInterval(1, new(SampleReports.At(0), SampleReports.At(500)), null, "GET /a", null),
            seen.Stretches.Single());
    }

    [Fact]
    public void A_thread_has_one_stretch_after_the_other_the_last_of_them_open()
    {
        Start(100, 1, 7, "GET /a");
        Start(200, 1, 8, "GET /b");
        Stop(900, 1, 7, "GET /a");
        Start(1000, 1, 9, "GET /c");
        tracker.Listened(SampleReports.At(3000));
        Assert.Equal(
            [("GET /a", null), ("GET /b", "GET /a"), ("GET /c", null)],
            tracker.Snapshot().Stretches.Select(s => (s.Begun, s.Ended)));
        Assert.Equal(2000, tracker.Snapshot().Stretches[^1].Span.Ms);
        Assert.Equal(2, tracker.Snapshot().Routes.Sum(r => r.UnderWay.Length));
    }

    [Fact]
    public void All_that_are_under_way_are_counted_though_not_every_beginning_is_handed_on()
    {
        for (var id = 0UL; id < 1_200; id++)
        {
            Start(id, 1, id, "GET /a");
        }

        var route = tracker.Snapshot().Routes.Single();
        Assert.Equal(1_200, route.UnderWay.Length + route.More);
        Assert.InRange(route.More, 1, 1_199);
    }

    [Fact]
    public void Seconds_in_which_nothing_is_told_have_the_requests_that_are_under_way()
    {
        Start(100, 1, 7, "GET /a");
        Start(200, 2, 8, "GET /a");
        Stop(4300, 2, 8, "GET /a");
        Assert.Equal([2, 2, 2, 2, 2], tracker.Snapshot().OverTime.Select(p => p.UnderWay));
        Assert.Equal(4100, tracker.Snapshot().OverTime[^1].SlowestMs);
    }

    [Fact]
    public void After_loss_nobody_knows_whose_request_a_thread_runs()
    {
        Start(100, 1, 7, "GET /a");
        tracker.Lost(SampleReports.At(200));
        Stop(900, 1, 8, "GET /b");
        var seen = tracker.Snapshot();
        Assert.Equal((2L, 0), (seen.Unmatched, seen.Routes.Length));
        Assert.Equal(SampleReports.At(200), seen.Stretches.Single().Span.From);
    }

    void Start(double ms, int thread, ulong id, string route) =>
        tracker.Started(new RequestStarted(SampleReports.At(ms), thread, id, route));

    void Stop(double ms, int thread, ulong id, string route) =>
        tracker.Stopped(new RequestStopped(SampleReports.At(ms), thread, id, route));
}
