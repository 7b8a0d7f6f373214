using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Lab.Fleet;
using Tpwatch.Reports;
using Tpwatch.Watch;

namespace Tpwatch.Lab.Growth;

/// <summary>
/// Streams of any size, told as fast as the engine takes them, each of one thing that may become much; everything else stays as it is.
/// </summary>
static class GrownStreams
{
    const double SecondMs = 1000;
    const int FirstThread = 1000;
    const int Gate = 900;

    /// <summary>Ten minutes: a pool that starves until it has so many workers, each of which then sleeps and wakes once a minute.</summary>
    public static GrownFold Workers(double count)
    {
        const int Seconds = 600, Growing = 300, Period = 60;
        var workers = (int)count;
        var (fold, sink) = Begin();
        for (var (second, born) = (1, 0); second <= Seconds; second++)
        {
            for (var wanted = (int)Math.Min(workers, (long)workers * second / Growing); born < wanted; born++)
            {
                var at = At((second - 1) * SecondMs + SecondMs * (born + 1 - (long)workers * (second - 1) / Growing) / (wanted + 1));
                sink.On(new TargetThreadsChanged(at, Gate, born + 1, AdjustmentReason.Starvation));
                sink.On(new WorkerStarted(at, FirstThread + born, born + 1));
            }

            for (var asleep = second % Period; second > Growing && asleep < workers; asleep += Period)
                sink.On(new WorkerWaited(At(second * SecondMs - 1), FirstThread + asleep, born));
            Sample(sink, second, born, queueLength: second <= Growing ? 50 : 0, completed: second <= Growing ? 0 : 400);
        }

        return new(fold, null);
    }

    /// <summary>Four seconds of items, each taken a millisecond after it was queued by one of eight workers.</summary>
    public static GrownFold Items(double perSecond)
    {
        const int Seconds = 4, Workers = 8;
        var (rate, total) = ((int)perSecond, (int)perSecond * Seconds);
        var (fold, sink) = Begin();
        SideStreamTracker items = new();
        items.On(new StreamOpened(default, DateTime.UnixEpoch, Workers));
        var waiting = Math.Max(1, rate / (int)SecondMs);
        for (var item = 0; item < total + waiting; item++)
        {
            var at = At(item * SecondMs / rate);
            if (item < total)
                items.On(new ItemQueued(at, FirstThread, item + 1));
            if (item >= waiting)
                items.On(new ItemTaken(at, FirstThread + item % Workers, item - waiting + 1));
        }

        for (var second = 1; second <= Seconds; second++)
            Sample(sink, second, Workers, queueLength: 0, rate);
        return new(fold, items);
    }

    /// <summary>A minute of heartbeats and items, in which events are lost so often.</summary>
    public static GrownFold Lost(double times)
    {
        const int Seconds = 60, ItemsPerSecond = 10, Workers = 8;
        SideStreamTracker items = new();
        var (fold, sink) = Begin(items);
        for (var (second, lost) = (1, 0L); second <= Seconds; second++)
        {
            var from = (second - 1) * SecondMs;
            for (var item = 0; item < ItemsPerSecond; item++)
            {
                var id = second * ItemsPerSecond + item;
                items.On(new ItemQueued(At(from + item), FirstThread, id));
                items.On(new ItemTaken(At(from + item), FirstThread + item % Workers, id));
            }

            var before = lost;
            for (var wanted = (long)times * second / Seconds; lost < wanted; lost++)
                sink.On(new EventsLost(At(from + 20 + 900.0 * (lost - before) / (wanted - before)), 3));
            Sample(sink, second, Workers, queueLength: 10, completed: 400);
        }

        return new(fold, items);
    }

    /// <summary>A process that starves for ten seconds every half hour, over so many minutes.</summary>
    public static GrownFold Minutes(double count) => new(AgedFolds.Of((int)(count * 60), starves: true), null);

    /// <summary>A process that starves for four seconds each minute, on a machine where its threads also wait for processors.</summary>
    public static GrownFold Episodes(double minutes)
    {
        const int Waits = 4;
        var (fold, sink) = Begin();
        for (var second = 1; second <= minutes * 60; second++)
        {
            var starves = second % 60 < Waits;
            sink.On(new ProcessSampled(new(At(second * SecondMs - 5), SecondMs, Stopped: false) { WaitMs = 30 }));
            Sample(sink, second, workers: 8, queueLength: starves ? 50 : 0, completed: starves ? 0 : 400);
            for (var check = 0; starves && check < 2; check++)
            {
                var targetThreads = 8 + second % 60 * 2 + check;
                sink.On(new TargetThreadsChanged(At(second * SecondMs + 10 + check * 500), Gate, targetThreads,
                    AdjustmentReason.Starvation));
            }
        }

        return new(fold, null);
    }

    /// <summary>Items wait for so many minutes, and no worker comes for them.</summary>
    public static GrownFold Hanging(double minutes)
    {
        var (fold, sink) = Begin();
        for (var second = 1; second <= minutes * 60; second++)
            Sample(sink, second, workers: 8, queueLength: 50, completed: 0);
        return new(fold, null);
    }

    static (PoolFold Fold, IFactSink Sink) Begin(params IFactSink[] more)
    {
        PoolFold fold = new(AgedFolds.Target, SessionSource.Live);
        var sink = fold.Sink(null, more);
        sink.On(new StreamOpened(default, DateTime.UnixEpoch, 8));
        return (fold, sink);
    }

    static void Sample(IFactSink sink, int second, int workers, long queueLength, long completed) =>
        sink.On(new CountersRead(At(second * SecondMs), SecondMs, workers, queueLength, completed,
            new(null, queueLength > 0 ? 0.01 : 0.3)));

    static EventTime At(double ms) => new EventTime(0).PlusMs(ms);
}

/// <summary>What the engine holds after a stream: the fold of the pool, and that of the items where they were watched.</summary>
sealed record GrownFold(PoolFold Pool, SideStreamTracker? Items)
{
    /// <summary>What somebody who looks now makes it compute: snapshots and the report of them.</summary>
    public PoolReport Look() => Items is null
        ? Pool.Report(SessionEnd.StillOpen)
        : ReportBuilder.Build(Pool.Timeline.Snapshot(), Pool.Ledger.Snapshot(), SessionEnd.StillOpen, new ReportInputs
        {
            Forecast = Pool.Forecast.Snapshot(),
            Depth = CaptureDepth.Items,
            Deep = Items.Snapshot(),
        });
}
