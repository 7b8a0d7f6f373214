using System.Collections.Concurrent;

namespace Tpwatch.Core;

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
