using System.Collections.Concurrent;

namespace Tpwatch.Core;

/// <summary>A background thread that takes samples at intervals until it is stopped.</summary>
sealed class SamplingThread : IDisposable
{
    /// <summary>Maximum time that <see cref="Dispose"/> waits for the thread, which normally ends within milliseconds.</summary>
    static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(1);

    readonly ManualResetEvent stop = new(initialState: false);
    readonly Thread thread;
    int ended;

    /// <summary>Starts the thread.</summary>
    /// <param name="name">Name of the thread.</param>
    /// <param name="run">Callback that takes samples, waits on the handle between samples, and returns when the handle is set.</param>
    public SamplingThread(string name, Action<WaitHandle> run)
    {
        thread = new Thread(() => run(stop)) { IsBackground = true, Name = name };
        thread.Start();
    }

    /// <summary>Signals the thread to end and waits up to a second for it; later calls do nothing.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref ended, 1) == 1)
        {
            return;
        }

        stop.Set();
        if (thread.Join(StopLimit))
        {
            stop.Dispose();
        }
    }
}

/// <summary>Passes readings, in time order, from a sampling thread to the thread that reads the event stream.</summary>
/// <param name="at">Returns the time at which the given reading was taken.</param>
sealed class ReadingQueue<T>(Func<T, EventTime> at)
    where T : struct
{
    /// <summary>
    /// Maximum number of queued readings: one hour at one per second. A further reading replaces the oldest. Each event removes the
    /// readings that are older than itself, so the queue fills up only while a stopped target sends no event.
    /// </summary>
    const int Most = 3600;

    readonly ConcurrentQueue<T> readings = new();

    public void Put(T reading)
    {
        readings.Enqueue(reading);
        while (readings.Count > Most)
        {
            readings.TryDequeue(out _);
        }
    }

    /// <summary>Removes the oldest reading if it was taken at or before <paramref name="until"/>; returns false if it was not.</summary>
    public bool TryTake(EventTime until, out T reading)
    {
        if (readings.TryPeek(out reading) && at(reading) <= until)
        {
            return readings.TryDequeue(out reading);
        }

        reading = default;
        return false;
    }
}
