using System.Collections.Concurrent;

namespace Tpwatch.Core;

/// <summary>A background thread that takes samples at intervals until it is stopped.</summary>
sealed class SamplingThread : IDisposable
{
    /// <summary>Time limit for the end of the thread. A sample takes milliseconds; a thread that hangs is abandoned.</summary>
    static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(1);

    readonly ManualResetEvent stop = new(initialState: false);
    readonly Thread thread;
    int ended;

    /// <summary>Starts the thread.</summary>
    /// <param name="name">Name of the thread.</param>
    /// <param name="run">Callback that takes the samples and waits on the handle in between; the handle is set to end the thread.</param>
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

/// <summary>Readings in time order, passed from the thread that takes them to the thread that reads the event stream.</summary>
/// <param name="at">Returns the time at which a reading was taken.</param>
sealed class ReadingQueue<T>(Func<T, EventTime> at)
    where T : struct
{
    /// <summary>
    /// The capacity: one hour of readings at one per second. When the stream's thread takes no reading (the target is stopped and no event
    /// arrives), the queue drops the oldest reading.
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

    /// <summary>Removes and returns the oldest reading if it was taken at <paramref name="until"/> or before.</summary>
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
