using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Render;

/// <summary>The starved incident with its requests: fast before, slow in it, and some that have not ended.</summary>
static class RequestReports
{
    public static PoolReport Starved()
    {
        var tracker = new RequestTracker();
        tracker.Opened(SampleReports.At(0));
        for (var n = 0; n < 200; n++)
        {
            var (start, ms, route) = (n * 140, n * 140 > 1600 ? 2500 + n : 12, n % 4 == 0 ? "GET /health" : "GET /orders/{n}");
            tracker.Started(new RequestStarted(SampleReports.At(start), n % 30, (ulong)n, route));
            if (n >= 20)
            {
                Stop(tracker, n - 20, start + 1);
            }

            if (ms == 12 || route == "GET /health")
            {
                tracker.Stopped(new RequestStopped(SampleReports.At(start + 12), n % 30, (ulong)n, route));
            }
        }

        return Deepened.WithRequests(
            DeepReports.Starved() with { Depth = CaptureDepth.Stacks | CaptureDepth.Requests }, tracker.Snapshot());
    }

    static void Stop(RequestTracker tracker, int n, double ms)
    {
        if (n % 4 != 0 && n * 140 > 1600)
        {
            tracker.Stopped(new RequestStopped(SampleReports.At(ms), n % 30, (ulong)n, "GET /orders/{n}"));
        }
    }
}
