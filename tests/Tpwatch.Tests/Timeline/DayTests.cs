using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.Timeline;

/// <summary>A day of a pool that works, starves now and then, and is watched all the time.</summary>
public sealed class DayTests(ITestOutputHelper output)
{
    const int Hour = 3600;

    static readonly TargetFacts Target = new()
    {
        Pid = 1, Name = "x", RuntimeVersion = "10.0.12", Processors = new(8, SettingSource.Event), MinWorkers = new(8, SettingSource.Event),
    };

    readonly PoolTimeline timeline = new(Target, SessionSource.Live);
    readonly PoolLedger ledger = new(Target, new PortablePolicy());

    [Fact]
    public void What_is_kept_after_a_day_is_what_was_kept_after_the_first_hours()
    {
        IFactSink sink = new FactFanOut(_ => { }, timeline, ledger, new ForecastTracker(ledger, new PortablePolicy()));
        sink.On(new StreamOpened(default, DateTime.UnixEpoch, 8));
        Play(sink, 0, 12 * Hour);
        var noon = Kept();
        Play(sink, 12 * Hour, 24 * Hour);
        var midnight = Kept();

        output.WriteLine($"after 12 h {noon}, after 24 h {midnight}");
        Assert.Equal(noon.CounterSamples, midnight.CounterSamples);
        Assert.InRange(midnight.Moments, 1, noon.Moments + 100);
        Assert.InRange(midnight.InjectionDelays, noon.InjectionDelays, 10_001);
        Assert.InRange(midnight.Buckets, noon.Buckets - 2 * BucketSeries.ChunkLength, noon.Buckets + 2 * BucketSeries.ChunkLength);
        Assert.InRange(midnight.Buckets * 50L / 1000, 4 * Hour - 60, 4 * Hour + 120);
        Assert.InRange(midnight.Detail * 50L / 1000, Hour / 4 - 60, Hour / 4 + 120);
    }

    (long Buckets, long Detail, int CounterSamples, int Moments, int InjectionDelays) Kept()
    {
        var (seen, told) = (timeline.Snapshot(), ledger.Snapshot());
        return (seen.Buckets.EndIndex - seen.Buckets.FirstIndex, seen.Buckets.EndIndex - seen.Buckets.DetailIndex,
            seen.CounterSamples.Length, seen.WorkerMoments.Length, told.InjectionDelays.Length);
    }

    // A heartbeat a second; every three minutes a step of hill climbing, every half hour ten seconds of starvation.
    static void Play(IFactSink sink, int from, int to)
    {
        for (var second = from + 1; second <= to; second++)
        {
            var at = new EventTime(0).PlusMs(second * 1000.0);
            var starves = second % (Hour / 2) < 10;
            sink.On(new CountersRead(at, 1000, 8 + second % 3, starves ? 50 : 0, starves ? 0 : 400, new(null, 0.3)));
            if (starves || second % 180 == 0)
            {
                sink.On(new TargetThreadsChanged(
                    at.PlusMs(10), 900, 8 + second % 10, starves ? AdjustmentReason.Starvation : AdjustmentReason.ClimbingMove));
            }

            if (second % 7 == 0)
            {
                sink.On(new WorkerWaited(at.PlusMs(20), 1000 + second % 8, 8 + second % 3));
            }
        }
    }
}
