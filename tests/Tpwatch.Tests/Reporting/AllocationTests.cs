using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Reporting;

/// <summary>
/// A chatty service sends thousands of worker events a second; the way from the probe to the trackers allocates nothing for them.
/// </summary>
public sealed class AllocationTests
{
    const int Events = 20_000;

    /// <summary>Lanes grow by a chunk every thirty seconds of event time; the events of this test cover less than one bucket.</summary>
    const double ApartMs = 0.001;

    [Fact]
    public void Worker_and_sample_events_allocate_nothing()
    {
        var target = new TargetFacts { Pid = 1, Name = "x", Processors = new(8, SettingSource.Event) };
        IFactSink sink = new FactFanOut(
            _ => { }, new PoolTimeline(target, SessionSource.Live), new PoolLedger(target, new PortablePolicy()));
        sink.On(new StreamOpened(default, DateTime.UnixEpoch, 8));
        Feed(sink, 0);

        var before = GC.GetAllocatedBytesForCurrentThread();
        Feed(sink, Events);
        var bytes = GC.GetAllocatedBytesForCurrentThread() - before;

        Assert.True(bytes < Events / 10, $"{bytes} bytes for {3 * Events} events");
    }

    static void Feed(IFactSink sink, int from)
    {
        for (var i = from; i < from + Events; i++)
        {
            var at = new EventTime(0).PlusMs(i * ApartMs);
            sink.On(new WorkerWaited(at, 7, 8));
            sink.On(new ThroughputSampled(at, 100));
            sink.On(new ThreadBegan(at, 8, 3));
        }
    }
}
