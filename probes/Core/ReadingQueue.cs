using System.Collections.Concurrent;

namespace Tpwatch.Core;

/// <summary>Readings on their way from the thread that takes them to the one that reads the stream, in order of time.</summary>
/// <param name="at">When a reading was taken.</param>
sealed class ReadingQueue<T>(Func<T, EventTime> at)
    where T : struct
{
    /// <summary>
    /// When nobody takes readings (the target is stopped, no event comes) the oldest go: an hour's worth at one a second stays.
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

    /// <summary>The oldest reading, if it was taken until then; it is taken out.</summary>
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
