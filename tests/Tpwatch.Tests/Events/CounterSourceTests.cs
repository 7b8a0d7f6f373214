using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Events;

/// <summary>A capture has one source of heartbeats; whoever else listens, an item is counted once.</summary>
public sealed class CounterSourceTests
{
    readonly CounterSource source = new();
    readonly PoolFold fold = new(new TargetFacts { Pid = 1, Name = "a" }, SessionSource.Live);

    [Fact]
    public void Counters_alone_are_taken()
    {
        Counters(0, 1000, 2000);
        Assert.Equal([0, 1000, 2000], Seen());
    }

    [Fact]
    public void Counters_that_came_first_are_left_for_good_when_the_meters_come()
    {
        Counters(200);
        Meters(500);
        Counters(1200);
        Meters(1500);
        Counters(2200, 3200, 4200);
        Assert.Equal([200, 500, 1500], Seen());
    }

    [Theory]
    [InlineData(8, false, true)]
    [InlineData(9, true, false)]
    [InlineData(10, true, false)]
    [InlineData(null, true, true)]
    public void A_runtime_of_unknown_version_is_asked_for_both(int? major, bool meters, bool counters)
    {
        var needs = ProbeSet.Basic(major, TimeSpan.FromSeconds(1)).Needs();
        Assert.Equal(
            (meters, counters),
            (needs.Any(n => n.Provider == "System.Diagnostics.Metrics"),
                needs.Any(n => n.Arguments.ContainsKey("EventCounterIntervalSec"))));
    }

    void Counters(params double[] ms) => Array.ForEach(ms, at => source.FromCounters(Sample(at), fold.Sink()));

    void Meters(double ms) => source.FromMeters(Sample(ms), fold.Sink());

    IEnumerable<double> Seen() => fold.Timeline.Snapshot().CounterSamples.Select(b => b.At.Milliseconds);

    static CountersRead Sample(double ms) => new(default(EventTime).PlusMs(ms), 1000, 4, 0, 10, new(null, 0.1));
}
