using System.Text.Json;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Render;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Stacks;

/// <summary>A reading of the memory says what a burst says, and more, without a pause.</summary>
public sealed class InsideSamplesTests
{
    static readonly StacksSeen Seen = StacksSeen.None.WithReading(SomeInside.Starved());

    [Fact]
    public void What_holds_the_threads_is_read_off_a_reading_as_off_a_burst()
    {
        var report = Deepened.WithStacks(SampleReports.Starved(), Seen);

        Assert.Equal(["Shop.Baskets.Total", "Shop.Accounts.Take"], report.Blockers!.Value.Select(b => b.Frame));
        Assert.Equal([(BlockKind.Task, 5), (BlockKind.Lock, 2)], report.Blockers.Value.Select(b => (b.Kind, b.Threads)));
        Assert.Equal("thread 9 in Accounts.SlowAudit > Thread.Sleep", report.Blockers.Value[1].Owner);
        Assert.Equal((7L, 0, WaitsFor.QueuedItems), (report.Bursts!.Samples, report.Bursts.PausedMs, report.Bursts.WaitsFor));
        Assert.True(Assert.Single(report.Bursts.Taken).IsReading);
        Assert.Equal(5042, report.Inside!.Queue!.Total);
    }

    [Fact]
    public void Waits_for_the_queue_are_proven_where_half_of_the_worker_threads_wait_so()
    {
        var reading = SomeInside.Starved();
        var (due, locked) = (reading.Waits[0], reading.Waits[1]);

        Assert.True(InsideConclusion.IsForQueue(reading));
        Assert.Equal(5, InsideConclusion.ForQueue(reading));
        Assert.False(InsideConclusion.IsForQueue(reading with { Waits = [due with { Workers = 1 }, locked] }));
        Assert.False(InsideConclusion.IsForQueue(reading with { Waits = [due with { End = WaitEnd.Timer }] }));
        Assert.False(InsideConclusion.IsForQueue(reading with { Waits = [] }));
    }

    [Fact]
    public void A_reading_stands_for_a_burst_where_it_shows_who_holds_most_of_the_worker_threads()
    {
        var reading = SomeInside.Starved();

        Assert.True(BurstPlan.Suffices(reading));
        Assert.False(BurstPlan.Suffices(reading with { Limits = new(8, 100, 40, 0), Running = 33 }), "33 threads ran");
        Assert.False(BurstPlan.Suffices(reading with { Limits = null, Running = 33 }), "33 threads ran");
        Assert.False(BurstPlan.Suffices(reading with { Stacks = [] }), "no stack is known");
        Assert.True(BurstPlan.Suffices(reading with { Limits = null, Running = 0 }), "all places are known");
    }

    [Fact]
    public void A_side_car_gives_back_what_it_was_given()
    {
        var second = Seen.With(new(Holders.Sampled.Burst(20_000, Holders.Sampled.At(1, Holders.Sampled.Lock)), null))
            .WithReading(SomeInside.Starved(25_000));
        var sideCar = SideCarFile.Describe(SampleReports.Starved().Timeline.Target, []) with
        {
            Bursts = BurstPacking.Pack(second),
            Inside = BurstPacking.PackInside(second),
        };
        var json = JsonSerializer.Serialize(sideCar, SideCarJson.Default.SideCar);
        var read = SideCarValidator.Of(JsonSerializer.Deserialize(json, SideCarJson.Default.SideCar)!, out var remark);
        var again = BurstPacking.Unpack(read.Bursts, read.Inside)!;

        Assert.Null(remark);
        Assert.Equal([true, false, true], again.Bursts.Select(b => b.IsReading));
        Assert.Equal(Text(second.Readings[0]), Text(again.Readings[0]));
        Assert.Contains("\"end\": \"dueTimer\"", json, StringComparison.Ordinal);
        var until = again.Until(SampleReports.At(13_000));
        Assert.Equal((1, 1), (until.Bursts.Length, until.Readings.Length));

        static string Text(InsideReading reading) => JsonSerializer.Serialize(reading);
    }

    [Fact]
    public void What_a_side_car_makes_up_is_left_out()
    {
        const string Made = """
            { "schema": "tpwatch-sidecar/1", "target": {}, "inside": [
              null, { "atNs": 1, "ms": -1 }, { "atNs": 2, "ms": 1, "limits": { "minThreads": 9, "maxThreads": 2 } },
              { "atNs": 3, "ms": 1, "waits": [ null, { "frame": "a\u001b[2Jb", "call": "c", "threads": 1 } ],
                "queue": { "kinds": [ null ] } } ] }
            """;
        var read = SideCarValidator.Of(JsonSerializer.Deserialize(Made, SideCarJson.Default.SideCar)!, out _);
        var reading = Assert.Single(BurstPacking.Unpack(read.Bursts, read.Inside)!.Readings);

        Assert.DoesNotContain('\u001b', Assert.Single(reading.Waits).Frame);
        Assert.Empty(reading.Queue!.Kinds);
    }

    [Fact]
    public void Limits_are_handed_out_once_each_at_their_moment()
    {
        var limits = new InsideLimitsSource(() =>
            Seen.WithReading(SomeInside.Starved(20_000) with { Limits = new(16, 64, 1, 0) }).Readings);

        Assert.Null(limits.Until(SampleReports.At(11_999)));
        Assert.Equal(8, limits.Until(SampleReports.At(12_000))!.MinThreads);
        Assert.Null(limits.Until(SampleReports.At(19_999)));
        Assert.Equal(64, limits.Until(SampleReports.At(30_000))!.MaxThreads);
        Assert.Null(limits.Until(SampleReports.At(40_000)));
    }
}
