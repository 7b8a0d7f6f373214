using Tpwatch.Core;
using Tpwatch.Items;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.Forecast;

/// <summary>
/// A queue that is worked off first in, first out by workers that all begin at once, computed in full: the truth with which what heartbeats
/// tell of it is compared. Times are milliseconds after an origin.
/// </summary>
sealed class FifoPool
{
    static readonly EventTime Origin = new(7_000_000_250_000);

    readonly double[] arrivals;
    readonly double[] starts;
    readonly double[] ends;
    readonly int[] takers;
    readonly int workers;

    public FifoPool(int workers, IEnumerable<double> arrivals, Func<int, double> runMs)
    {
        this.workers = workers;
        this.arrivals = [.. arrivals];
        (starts, ends, takers) = (new double[this.arrivals.Length], new double[this.arrivals.Length], new int[this.arrivals.Length]);
        var free = new PriorityQueue<int, double>(Enumerable.Range(1, workers).Select(worker => (worker, this.arrivals[0])));
        for (var i = 0; i < starts.Length; i++)
        {
            free.TryDequeue(out takers[i], out var freeAt);
            starts[i] = Math.Max(this.arrivals[i], freeAt);
            ends[i] = starts[i] + runMs(i);
            free.Enqueue(takers[i], ends[i]);
        }

        free.TryPeek(out _, out var next);
        NextFree = next;
    }

    /// <summary>When a worker is free after the last item: where one more would start.</summary>
    public double NextFree { get; }

    public static EventTime At(double ms) => Origin.PlusMs(ms);

    public int Workers => workers;

    public double LastStart => starts[^1];

    public double FirstEnd => ends.Min();

    /// <summary>How long an item queued at <paramref name="ms"/> waits: as the one that really was queued next, or as one more.</summary>
    public double DelayAt(double ms)
    {
        var next = Array.FindIndex(arrivals, a => a >= ms);
        return next >= 0 ? starts[next] - arrivals[next] : NextFree - ms;
    }

    public long QueueLengthAt(double ms) => arrivals.Count(a => a <= ms) - starts.Count(s => s <= ms);

    /// <summary>What the items probe has seen until then.</summary>
    public ItemSnapshot Seen(double ms)
    {
        var tracker = new ItemTracker();
        tracker.QueueEmpty(At(-1));
        var events = arrivals.Select((at, i) => (At: at, Item: i, Taken: false))
            .Concat(starts.Select((at, i) => (At: at, Item: i, Taken: true)));
        foreach (var seen in events.Where(e => e.At <= ms).OrderBy(e => e.At).ThenBy(e => e.Taken))
        {
            if (seen.Taken)
            {
                tracker.Taken(new(At(seen.At), takers[seen.Item], seen.Item));
            }
            else
            {
                tracker.Queued(new(At(seen.At), 0, seen.Item));
            }
        }

        tracker.Listened(At(ms));
        return tracker.Snapshot();
    }

    /// <summary>As the policy sees it: so many workers, and no more come.</summary>
    public static PoolState State(int workers) =>
        new PortablePolicy().Start(new(2, workers, workers)) with { TargetThreads = workers, Existing = workers };

    /// <summary>What counters a second apart tell of it until then; its workers began with the first item.</summary>
    public StartDelayForecast Counted(double until = double.NegativeInfinity)
    {
        var tracker = new StartDelayForecast(new PortablePolicy());
        tracker.Take(new CounterSample(At(-300), 1000, 0, 0, 0, 0), State(workers));
        for (var i = 0; i < workers; i++)
        {
            tracker.WorkerStarted(At(0));
        }

        for (var at = 700.0; at <= until; at += 1000)
        {
            tracker.Take(Sample(at, 1000), State(workers));
        }

        return tracker;
    }

    public CounterSample Sample(double ms, double intervalMs) => new(
        At(ms), intervalMs, workers, QueueLengthAt(ms), ends.Count(e => e > ms - intervalMs && e <= ms), 0.02);
}
