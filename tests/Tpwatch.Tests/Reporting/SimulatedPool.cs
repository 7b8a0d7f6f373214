namespace Tpwatch.Tests.Reporting;

/// <summary>A queue with workers that take its oldest item. Time advances in small steps, milliseconds.</summary>
sealed class SimulatedPool(int workers, double stepMs = 1)
{
    readonly double[] busyUntil = [.. Enumerable.Repeat(-1.0, workers)];
    readonly Queue<double> queue = new();
    long completed;
    double nowMs;

    public int Workers => busyUntil.Length;

    public void Enqueue(int count, double runMs)
    {
        for (var i = 0; i < count; i++)
        {
            queue.Enqueue(runMs);
        }
    }

    public void Advance(double ms)
    {
        for (var end = nowMs + ms; nowMs < end - 1e-9; nowMs += stepMs)
        {
            for (var i = 0; i < busyUntil.Length; i++)
            {
                Work(i);
            }
        }
    }

    /// <summary>What the counters say: items that wait, and completions since the last reading.</summary>
    public (long QueueLength, long Completed) Read()
    {
        var reading = (queue.Count, completed);
        completed = 0;
        return reading;
    }

    void Work(int worker)
    {
        if (busyUntil[worker] >= 0 && busyUntil[worker] <= nowMs + 1e-9)
        {
            busyUntil[worker] = -1;
            completed++;
        }

        if (busyUntil[worker] < 0 && queue.TryDequeue(out var runMs))
        {
            busyUntil[worker] = nowMs + runMs;
        }
    }
}
