namespace Tpwatch.Tests.Reporting;

/// <summary>Which waiting item a free worker takes.</summary>
enum TakeOrder
{
    Oldest,
    Newest,
    Any,
}

/// <summary>
/// A queue with workers that knows the truth: how long each item has really waited. Time advances in small steps, milliseconds.
/// </summary>
sealed class SimulatedPool(int workers, TakeOrder order = TakeOrder.Oldest, double stepMs = 1, int seed = 1)
{
    readonly Random random = new(seed);
    readonly List<double> busyUntil = [.. Enumerable.Repeat(-1.0, workers)];
    readonly List<(double Queued, double RunMs)> queue = [];
    int head;
    long completed;

    public double NowMs { get; private set; }

    public int Workers => busyUntil.Count;

    public long QueueLength => queue.Count - head;

    /// <summary>The longest wait of an item that still waits.</summary>
    public double LongestWaitMs => QueueLength == 0 ? 0 : NowMs - queue.Skip(head).Min(i => i.Queued);

    public void Enqueue(int count, double runMs)
    {
        for (var i = 0; i < count; i++)
        {
            queue.Add((NowMs, runMs));
        }
    }

    /// <summary>How often a worker found the queue empty.</summary>
    public long Sleeps { get; private set; }

    public void AddWorker() => busyUntil.Add(-1);

    /// <summary>A worker that has nothing to do ends.</summary>
    public void DropIdleWorker()
    {
        var idle = busyUntil.FindIndex(until => until < 0);
        if (idle >= 0 && busyUntil.Count > 1)
        {
            busyUntil.RemoveAt(idle);
        }
    }

    public void Advance(double ms)
    {
        for (var end = NowMs + ms; NowMs < end - 1e-9; NowMs += stepMs)
        {
            for (var i = 0; i < busyUntil.Count; i++)
            {
                Work(i);
            }
        }
    }

    /// <summary>What the counters say: items that wait, and completions since the last reading.</summary>
    public (long QueueLength, long Completed) Read()
    {
        var reading = (QueueLength, completed);
        completed = 0;
        return reading;
    }

    void Work(int worker)
    {
        if (busyUntil[worker] >= 0 && busyUntil[worker] <= NowMs + 1e-9)
        {
            busyUntil[worker] = -1;
            completed++;
            Sleeps += QueueLength == 0 ? 1 : 0;
        }

        if (busyUntil[worker] < 0 && QueueLength > 0)
        {
            busyUntil[worker] = NowMs + Take().RunMs;
        }
    }

    (double Queued, double RunMs) Take()
    {
        if (order == TakeOrder.Newest)
        {
            var newest = queue[^1];
            queue.RemoveAt(queue.Count - 1);
            return newest;
        }

        var index = order == TakeOrder.Oldest ? head : random.Next(head, queue.Count);
        (queue[head], queue[index]) = (queue[index], queue[head]);
        return queue[head++];
    }
}
